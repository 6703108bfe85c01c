/** Colors for output on a terminal. */
import util from 'node:util';
import type { WriteStream } from 'node:tty';

/** Text styles. Each function returns its argument with or without color codes. */
export interface Colours {
  readonly title: (text: string) => string;
  readonly place: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly warning: (text: string) => string;
}

/**
 * Returns colors if the stream should have them. `FORCE_COLOR` takes precedence over `NO_COLOR`, and both take
 * precedence over the terminal's capabilities.
 */
export function coloursFor(stream: object, environment: NodeJS.ProcessEnv): Colours {
  return wantsColours(stream, environment) ? coloured : plain;
}

export const plain: Colours = {
  title: (text) => text,
  place: (text) => text,
  quiet: (text) => text,
  warning: (text) => text,
};

function wantsColours(
  stream: object,
  { FORCE_COLOR: force, NO_COLOR: none, TERM: terminal }: NodeJS.ProcessEnv,
): boolean {
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (none !== undefined && none !== '') return false;
  return (stream as Partial<WriteStream>).isTTY === true && terminal !== 'dumb';
}

const coloured: Colours = {
  title: (text) => style('bold', text),
  place: (text) => style('cyan', text),
  quiet: (text) => style('dim', text),
  warning: (text) => style('yellow', text),
};

type Format = 'bold' | 'cyan' | 'dim' | 'yellow';

function style(format: Format, text: string): string {
  // Before Node 20.12, `styleText` does not exist, and text has no color. The stream was checked above, so disable its
  // own check.
  const styleText = util.styleText as undefined | ((format: Format, text: string, options: object) => string);
  return styleText ? styleText(format, text, { validateStream: false }) : text;
}
