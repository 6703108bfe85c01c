/** A big folder of source files for tests of what happens while a scan runs. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const linesPerFile = 200;
const filesPerFolder = 100;

/** Writes files made of seeded chance, which take a while to scan and have hardly any copies. */
export async function writeManyFiles(folder: string, count: number): Promise<void> {
  let seed = 1;
  const chance = (below: number): number => {
    // Lehmer's generator: enough for text that must only be the same on every run.
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const name = (): string => `name${chance(5000)}`;
  for (let file = 0; file < count; file++) {
    const lines = Array.from({ length: linesPerFile }, () => line(name, chance));
    const inner = path.join(folder, `folder${Math.floor(file / filesPerFolder)}`);
    if (file % filesPerFolder === 0) await mkdir(inner, { recursive: true });
    await writeFile(path.join(inner, `file${file}.ts`), lines.join('\n'));
  }
}

/** One of several statements, so that files differ in more than names. */
function line(name: () => string, chance: (below: number) => number): string {
  switch (chance(5)) {
    case 0:
      return `const ${name()} = ${name()}(${name()}, ${chance(1000)}) + ${name()};`;
    case 1:
      return `if (${name()} > ${chance(100)}) ${name()}.${name()}(${name()});`;
    case 2:
      return `${name()} = [${name()}, ${name()}, '${name()}'];`;
    case 3:
      return `for (const ${name()} of ${name()}.${name()}()) ${name()} += ${chance(9)};`;
    default:
      return `return ${name()} ? ${name()} : { ${name()}: ${name()} };`;
  }
}
