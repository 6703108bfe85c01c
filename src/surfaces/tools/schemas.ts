/** JSON Schemas of the tools' inputs. They are plain data for the manifest, the servers, and the validation here. */

export type PropertySchema = ValueSchema | ListSchema;

export interface ValueSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Returns the schema of the maximum number of items in an answer. */
export function limitSchema(items: string, maximum: number, defaultValue: number): ValueSchema {
  return {
    type: 'integer',
    minimum: 1,
    maximum,
    description: `Maximum number of ${items}; ${defaultValue} by default.`,
  };
}

export interface ListSchema {
  readonly type: 'array';
  readonly description: string;
  readonly items: { readonly type: 'string' };
  readonly minItems: number;
  readonly maxItems: number;
}

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** Validates the input of a tool, because some clients do not. Returns an error message if it is invalid. */
export function problemOfInput(input: unknown, { properties, required = [] }: InputSchema): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'The input must be an object.';
  const fields = input as Readonly<Record<string, unknown>>;
  const missing = required.find((name) => fields[name] === undefined);
  if (missing !== undefined) return `${missing} is missing.`;
  for (const [name, value] of Object.entries(fields)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) {
      return `There is no input ${name}; the inputs are ${Object.keys(properties).join(', ')}.`;
    }
    const expectation = value === undefined ? undefined : problemOfValue(value, schema);
    if (expectation !== undefined) return `${name} must be ${expectation}, not ${shortened(JSON.stringify(value))}.`;
  }
  return undefined;
}

const maxShownValue = 100;

function shortened(json: string): string {
  return json.length <= maxShownValue ? json : `${json.slice(0, maxShownValue)}…`;
}

/** Returns a description of the expected type if a value is invalid; otherwise `undefined`. */
function problemOfValue(value: unknown, schema: PropertySchema): string | undefined {
  if (schema.type === 'array') return problemOfList(value, schema);
  const { type, enum: choices, minimum, maximum } = schema;
  switch (type) {
    case 'string':
      if (typeof value !== 'string') return 'a string';
      return choices === undefined || choices.includes(value) ? undefined : `one of ${choices.join(', ')}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'integer':
    case 'number': {
      const isNumber = type === 'integer' ? Number.isInteger(value) : typeof value === 'number';
      const [min, max] = [minimum ?? -Infinity, maximum ?? Infinity];
      if (isNumber && (value as number) >= min && (value as number) <= max) return undefined;
      return `${type === 'integer' ? 'a whole number' : 'a number'} from ${min} to ${max}`;
    }
  }
}

function problemOfList(value: unknown, { minItems, maxItems }: ListSchema): string | undefined {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (isList && value.length >= minItems && value.length <= maxItems) return undefined;
  return `a list of ${minItems} to ${maxItems} strings`;
}
