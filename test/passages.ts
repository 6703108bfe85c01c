/** Passages to be copied. They have nothing in common with each other. */

/** 15 lines of code, about 110 tokens. */
export const parsing = `export function parseHeader(input: string, limit: number): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const line of input.split('\\r\\n').slice(0, limit)) {
    const colon = line.indexOf(':');
    if (colon < 0) throw new SyntaxError(\`no colon in \${line}\`);
    const name = line.slice(0, colon).trim().toLowerCase();
    const values = line.slice(colon + 1).split(',').map((value) => value.trim());
    const known = fields.get(name);
    if (known === undefined) fields.set(name, values);
    else known.push(...values.filter((value) => value !== ''));
    if (fields.size > 100) break;
  }
  fields.delete('connection');
  return fields;
}
`;

/** Copy of `parsing` with other names and literals. */
export const parsingRenamed = parsing
  .replaceAll('parseHeader', 'readSettings')
  .replaceAll('input', 'source')
  .replaceAll('fields', 'table')
  .replaceAll('line', 'row')
  .replaceAll('colon', 'sign')
  .replaceAll('name', 'label')
  .replaceAll('values', 'parts')
  .replaceAll('value', 'part')
  .replaceAll('known', 'before')
  .replaceAll("'connection'", "'version'")
  .replaceAll('100', '250');

/** 15 lines of different code. */
export const drawing = `class Turtle {
  private angle = 90;
  private readonly path: [number, number][] = [[0, 0]];
  turn(degrees: number): this {
    this.angle = (this.angle + degrees + 360) % 360;
    return this;
  }
  forward(steps: number): this {
    const [x, y] = this.path[this.path.length - 1];
    const radians = (this.angle * Math.PI) / 180;
    this.path.push([x + steps * Math.cos(radians), y + steps * Math.sin(radians)]);
    return this;
  }
  get length(): number { return this.path.length; }
}
`;

/** A function of 13 lines. */
export const merging = `export function mergeRanges(ranges: Range[]): Range[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start || a.end - b.end);
  const merged: Range[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && range.start <= last.end) {
      last.end = Math.max(last.end, range.end);
    } else {
      merged.push({ start: range.start, end: range.end });
    }
  }
  return merged;
}
`;

/** Does the same as `merging`, with other names and statements. */
export const mergingAgain = `function unite(spans: Range[]): Range[] {
  const united: Range[] = [];
  spans.sort((x, y) => x.start - y.start);
  for (const { start, end } of spans) {
    const previous = united.at(-1);
    if (previous === undefined || start > previous.end) {
      united.push({ start, end });
      continue;
    }
    previous.end = Math.max(previous.end, end);
  }
  return united;
}
`;

/** A paragraph of 75 words. */
export const harbour =
  'The harbour was rebuilt in the spring after the flood had taken away its northern wall, and the fishermen, who had ' +
  'moored their boats in the river for seven long months, came back one after the other to find new steps, a new crane, ' +
  'and lamps along the whole length of the quay. Nobody had asked them where the stairs should go. The old lighthouse ' +
  'keeper shook his head and went on painting his door blue.\n';

/** A paragraph of 90 words. */
export const quarry =
  'Stone for the new road came from a quarry behind the chapel, which had been closed since before the war and was full of ' +
  'birches. Two men and a mule cut the stone, a third kept the accounts in a tin box, and every Friday the mayor walked ' +
  'up to count the heaps himself because he trusted neither of them. In June a vein of white stone turned up that was ' +
  'too good for a road, so they sold it to the bishop and bought a second mule.\n';

/** Functions whose names, calls, and numbers are not repeated. */
export function functionsOf(name: string, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const own = `${name}${i}`;
    return `function ${own}(${own}In: number): number {
  const ${own}Sum = ${own}Scale(${own}In, ${i}) + ${own}Shift(${own}In);
  if (${own}Sum > ${own}Limit) return ${own}Cut(${own}Sum, '${own}');
  for (const ${own}Item of ${own}Items) ${own}Visit(${own}Item, ${own}Sum);
  return ${own}Sum * ${own}Factor;
}
`;
  }).join('');
}
