/** Wraps the lines of a text report at words, for narrow terminals. */
import { Help } from 'commander';

/** Indentation of continuation lines, added to that of the first line. */
const continuation = '   ';

/** Yields the lines of a text, wrapped to a width. Does not split words that are longer. Color codes have no width. */
export function* wrapLines(pieces: Iterable<string>, width: number): Generator<string> {
  let rest = '';
  for (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield `${wrapped(line, width)}\n`;
  }
  if (rest !== '') yield wrapped(rest, width);
}

const help = new Help();
help.minWidthToWrap = 1;

function wrapped(line: string, width: number): string {
  if (help.displayWidth(line) <= width) return line;
  const indentation = `${/^ */.exec(line)![0]}${continuation}`;
  // `boxWrap` does not know the indentation of continuation lines, so reduce the width by it.
  return help.boxWrap(line, width - indentation.length).replaceAll('\n', `\n${indentation}`);
}
