/** Generates docs/kindredrc.schema.json, and its copies in other schemas, from the keys of the configuration file. */
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { isObject } from '../src/core/collections/parsedValues.ts';
import { defaultOptions } from '../src/core/engine/options.ts';
import { configurationSchema, defaultValues } from '../src/scan/io/configurationKeys.ts';

/** Returns the schema of configuration files. */
export function schemaOfFile(): JsonSchema {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Kindred configuration (.kindredrc.jsonc)',
    description:
      'Options for detection and for the files to compare. All keys are optional. Command-line options override them.',
    // Keyword of VS Code.
    allowTrailingCommas: true,
    ...toJsonSchema(configurationSchema, conversion),
  };
  setDefaults(schema, defaultValues(defaultOptions));
  return schema;
}

/** Returns the schema of the options in reports, which keep the older name of `maxDistance`. */
export function schemaOfOptions(): JsonSchema {
  const schema = schemaOfFile();
  for (const key of ['$schema', 'title', 'allowTrailingCommas'] as const) delete schema[key as keyof JsonSchema];
  for (const part of [schema, ...partsOf(schema.properties!['prose'] as JsonSchema)]) {
    delete part.not;
    delete part.properties?.['k'];
  }
  return JSON.parse(JSON.stringify(schema).replaceAll('maxDistance', 'k')) as JsonSchema;
}

const conversion: ConversionConfig = {
  target: 'draft-07',
  typeMode: 'output',
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    const schema = { ...jsonSchema };
    // All keys are optional.
    delete schema.required;
    if (valibotSchema.type === 'map') {
      const { key, value } = valibotSchema as unknown as { readonly key: GenericSchema; readonly value: GenericSchema };
      return { type: 'object', propertyNames: convert(key), additionalProperties: convert(value) };
    }
    const has = (name: string): boolean => schema.properties?.[name] !== undefined;
    if (has('k')) return { ...schema, not: withKeys('k', 'maxDistance') };
    return has('languages') ? { ...schema, anyOf: [withKeys('files'), withKeys('languages')] } : schema;
  },
};

function convert(schema: GenericSchema): JsonSchema {
  const converted = toJsonSchema(schema, conversion);
  delete converted.$schema;
  return converted;
}

function withKeys(...names: readonly string[]): JsonSchema {
  return { properties: Object.fromEntries(names.map((name) => [name, true])), required: [...names] };
}

/** Adds the defaults of the keys, also of keys in objects. */
function setDefaults(schema: JsonSchema, values: Readonly<Record<string, unknown>>): void {
  for (const [name, property] of partsOf(schema).flatMap(({ properties = {} }) => Object.entries(properties))) {
    const value = values[name];
    if (typeof property === 'boolean' || value === undefined) continue;
    if (isObject(value)) setDefaults(property, value);
    property.default = value as JsonSchema['default'];
  }
}

function partsOf({ anyOf = [], ...schema }: JsonSchema): JsonSchema[] {
  return [schema, ...anyOf.filter((part) => typeof part !== 'boolean')];
}
