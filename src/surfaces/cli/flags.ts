/**
 * Describes command-line options as data. A flag defines an option for the commander library and parses its value. A
 * table has one flag for each value that its options set.
 */
import { type Command, Option } from 'commander';
import { type TokenKind, tokenKinds } from '../../core/engine/languages/tokenKind.ts';
import { categories } from '../../core/engine/rows/category.ts';
import { minMemoryMB } from '../../scan/indexer/memoryBudget.ts';
import { parseConfiguration } from '../../scan/io/configuration.ts';
import type { Override } from '../../scan/io/overrideKeys.ts';
import { type CategoryGlobs, noCategory } from '../../scan/io/chosenCategories.ts';
import { formatFileSize, parseFileSize } from '../../scan/io/fileSize.ts';
import { nearestName } from '../../scan/io/nearestName.ts';

/** Option values as returned by commander, by option name: unparsed strings, or booleans for switches. */
export type Values = Readonly<Record<string, unknown>>;

/** A command-line option, or two switches that turn a value on and off. */
export interface Flag<Value> {
  /** Creates the options for commander. Each command needs its own, because commander modifies them. */
  readonly define: () => readonly [Option, ...Option[]];
  /** Parses the value. Returns `undefined` if the user did not set the option. */
  readonly read: (flagValue: unknown, name: string, reader: Reader) => Value | undefined;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** Values of a table's options that the user has set. */
export type FlagValues<Table extends Flags> = {
  readonly [Name in keyof Table]?: Table[Name] extends Flag<infer Value> ? Value : never;
};

/** Table type with a flag for each property of `Decided`. */
export type FlagsOf<Decided> = { readonly [Name in keyof Decided]-?: Flag<NonNullable<Decided[Name]>> };

/**
 * Defines an option with a value, such as `--top <rows>`.
 *
 * @param read  parses the value; also called with `undefined` if the user did not set the option
 */
export function text<Value>(
  flags: string,
  about: string,
  read: (flagValue: string | undefined, name: string, reader: Reader) => Value | undefined,
): Flag<Value> {
  return {
    define: () => [new Option(flags, about)],
    read: (flagValue, name, reader) => read(flagValue as string | undefined, name, reader),
  };
}

/** Defines a numeric option. Its range is checked later, together with the configuration file. */
export function number(flags: string, about: string): Flag<number> {
  return text(flags, about, (flagValue, name, reader) => reader.number(name, flagValue));
}

/** Defines an option with a whole number from `min` to a million. `defaultValue` is its default. */
export function whole(flags: string, about: string, defaultValue: number, min = 1): Flag<number> {
  return text(flags, `${about} (default: ${defaultValue})`, (flagValue, name, reader) =>
    reader.whole(name, flagValue ?? String(defaultValue), min, 1_000_000),
  );
}

/** Defines an option with a name or path, which must not be empty. `kind` says what it names, for messages. */
export function named(flags: string, about: string, kind: string): Flag<string> {
  return text(flags, about, (flagValue, name, reader) => reader.path(name, kind, flagValue));
}

/** Adds an older name for an option. It still works, but help and messages do not mention it. */
export function olderName<Value>(older: string, { define, read }: Flag<Value>): Flag<Value> {
  return {
    define: () => {
      const [option, ...others] = define();
      const both = new Option(`${older}, ${option.flags}`, option.description);
      both.flags = option.flags;
      return [both, ...others];
    },
    read,
  };
}

/**
 * Defines an option with a fixed set of values.
 *
 * @param defaultValue  description of the default, for the help
 */
export function choice<Choice extends string>(
  flags: string,
  about: string,
  choices: readonly Choice[],
  defaultValue?: Choice,
): Flag<Choice> {
  return {
    define: () => [new Option(flags, about).choices(choices).default(defaultValue)],
    read: (flagValue) => flagValue as Choice | undefined,
  };
}

/** Defines an option that can be repeated. */
export function list<Value>(
  flags: string,
  about: string,
  read: (flagValues: readonly string[], name: string, reader: Reader) => Value,
): Flag<Value> {
  const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];
  return {
    define: () => [new Option(flags, about).argParser(collect)],
    read: (flagValues, name, reader) =>
      flagValues === undefined ? undefined : read(flagValues as readonly string[], name, reader),
  };
}

export function asGiven(flagValues: readonly string[]): readonly string[] {
  return flagValues;
}

/** Defines a switch that is off by default. */
export function on(flag: string, about: string): Flag<true> {
  return { define: () => [new Option(flag, about)], read: (flagValue) => (flagValue === true ? true : undefined) };
}

/** Defines a switch that is on by default. */
export function off(flag: string, about: string): Flag<false> {
  return { define: () => [new Option(flag, about)], read: (flagValue) => (flagValue === false ? false : undefined) };
}

/** Defines two switches that turn a value on and off, for values that a configuration file may also set. */
export function onOrOff(
  [on, aboutOn]: readonly [flag: string, about: string],
  [off, aboutOff]: readonly [flag: string, about: string],
): Flag<boolean> {
  return {
    define: () => [new Option(on, aboutOn), new Option(off, aboutOff)],
    read: (flagValue) => flagValue as boolean | undefined,
  };
}

export function addFlags(command: Command, flags: Flags): void {
  for (const flag of Object.values(flags)) for (const option of flag.define()) command.addOption(option);
}

/** Parses values, and records the first error. */
export class Reader {
  readonly #values: Values;
  problem: string | undefined;

  constructor(values: Values) {
    this.#values = values;
  }

  one<Value>({ define, read }: Flag<Value>): Value | undefined {
    const [option] = define();
    return read(this.#values[option.attributeName()], option.long!, this);
  }

  /** Parses the values of all flags in a table. Returns the values that the user has set. */
  all<Table extends Flags>(flags: Table): FlagValues<Table> {
    const values = Object.entries(flags).map(([name, flag]) => [name, this.one(flag)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as FlagValues<Table>;
  }

  number(option: string, text: string | undefined): number | undefined {
    if (text === undefined) return undefined;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isNaN(value)) this.refuse(`${option} must be a number, not "${text}".`);
    return value;
  }

  whole(option: string, text: string, min: number, max: number): number {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`;
    this.refuse(`${option} must be a whole number ${range}, not ${text}.`);
    return min;
  }

  /** Parses a maximum number. 0 means no limit, and is returned as Infinity. */
  top(option: string, text: string | undefined): number | undefined {
    if (text === undefined) return undefined;
    return this.whole(option, text, 0, Number.MAX_SAFE_INTEGER) || Number.POSITIVE_INFINITY;
  }

  size(option: string, text: string | undefined): number | undefined {
    if (text === undefined) return undefined;
    const size = parseFileSize(text);
    if (size === undefined) this.refuse(`${option} must be a size such as 500k or 2mb, not "${text}".`);
    return size;
  }

  /** Returns a path or name. Records an error if it is empty. */
  path(option: string, what: string, text: string | undefined): string | undefined {
    if (text === '') this.refuse(`${option} must name ${what}; its value is empty.`);
    return text;
  }

  /** Parses a memory size. Returns a whole number of MB; 0 if the user did not set it. */
  memory(option: string, text: string | undefined): number {
    if (text === undefined) return 0;
    const size = parseFileSize(text);
    if (size === undefined || size > Number.MAX_SAFE_INTEGER) {
      this.refuse(`${option} must be a size such as 512mb or 2gb, not "${text}".`);
    } else if (size < minMemoryMB * 2 ** 20) {
      this.refuse(`${option} must be at least ${minMemoryMB} MB, not ${formatFileSize(size)}.`);
    }
    return Math.floor((size ?? 0) / 2 ** 20);
  }

  weights(texts: readonly string[]): Record<string, number> {
    const weights: Record<string, number> = {};
    for (const part of texts.flatMap((text) => text.split(','))) {
      const [kind = '', value = '', ...rest] = part.split('=').map((word) => word.trim());
      if (rest.length > 0 || value === '' || Number.isNaN(Number(value))) {
        this.refuse(`--weights takes KIND=N,… such as string=0.5,call=2, not "${part}".`);
      } else if (!(tokenKinds as readonly string[]).includes(kind)) {
        const nearest = nearestName(kind, tokenKinds);
        const help = nearest ? `did you mean ${nearest}?` : `the kinds are ${tokenKinds.join(', ')}.`;
        this.refuse(`--weights: there is no kind of token "${kind}"; ${help}`);
      } else {
        weights[kind as TokenKind] = Number(value);
      }
    }
    return weights;
  }

  categories(texts: readonly string[]): CategoryGlobs {
    const globs: Partial<Record<keyof CategoryGlobs, string[]>> = {};
    for (const text of texts) {
      const [, writtenName, glob] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
      const name = categories.find((category) => category === writtenName);
      if (writtenName === undefined || glob === undefined) {
        this.refuse(`--category takes NAME=GLOB such as "data=**/golden/**", not "${text}".`);
      } else if (name === undefined) this.refuse(`--category: ${noCategory(writtenName)}`);
      else (globs[name] ??= []).push(glob);
    }
    return globs;
  }

  /** Parses overrides. Each is written like an entry in the list of a configuration file. */
  overrides(texts: readonly string[]): readonly Override[] {
    return texts.flatMap((text) => {
      const read = parseConfiguration(`{"overrides": [${text}\n]}`, '--override');
      if (!('problem' in read)) return read.sources.overrides ?? [];
      this.refuse(read.problem.replace(/^--override, line \d+/, '--override'));
      return [];
    });
  }

  /** Records an error, unless there already is one. */
  refuse(words: string): void {
    this.problem ??= words;
  }
}
