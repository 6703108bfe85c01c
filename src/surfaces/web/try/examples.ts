/** Pairs of example texts. */
export interface Example {
  readonly language: string;
  readonly texts: readonly [left: string, right: string];
}

const code: Example = {
  language: '.ts',
  texts: [
    `export function parseDay(text: string): Date | undefined {
  const iso = /^(\\d{4})-(\\d{2})-(\\d{2})$/.exec(text);
  const european = /^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})$/.exec(text);
  if (iso) {
    const date = new Date(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
    return Number.isNaN(date.getTime()) ? undefined : date;
  }
  if (european) {
    return new Date(Number(european[3]), Number(european[2]) - 1, Number(european[1]));
  }
  return undefined;
}
`,
    `export function readDate(text: string): Date | undefined {
  const iso = /^(\\d{4})-(\\d{2})-(\\d{2})$/.exec(text);
  const european = /^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})$/.exec(text);
  if (iso) {
    const date = new Date(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
    return date;
  }
  if (european) {
    return new Date(Number(european[3]), Number(european[2]) - 1, Number(european[1]));
  }
  throw new Error('not a date: ' + text);
}
`,
  ],
};

const prose: Example = {
  language: '.md',
  texts: [
    `The lighthouse stands at the end of the old pier. On clear nights its lamp is seen from twenty miles away, and sailors use it to find the narrow entrance of the harbour. The keeper climbs the stairs every evening, cleans the lens, and writes down the weather in a large book.
`,
    `The lighthouse stands at the end of the stone pier. On clear nights its lamp is seen from thirty miles away, and fishermen use it to find the narrow entrance of the harbour. The keeper climbs the stairs every evening, cleans the lens, and writes the weather down in a large book.
`,
  ],
};

const unrelated: Example = {
  language: '.ts',
  texts: [
    code.texts[0],
    `export class Harbour {
  readonly #ships = new Map<string, number>();

  enter(name: string, draught: number): boolean {
    if (draught > this.depth || this.#ships.has(name)) return false;
    this.#ships.set(name, draught);
    return true;
  }

  leave(name: string): boolean {
    return this.#ships.delete(name);
  }
}
`,
  ],
};

export const examples = { code, prose, unrelated } as const;
