/** Colours for a terminal. */
import util from 'node:util';
import type { WriteStream } from 'node:tty';

/** How the parts of the text are set off. Each returns its argument, coloured or not. */
export interface Colours {
  readonly title: (text: string) => string;
  readonly place: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly warning: (text: string) => string;
}

/** Colours when the stream shows them: FORCE_COLOR decides, else NO_COLOR, else whether it is a terminal that can. */
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
  // Since Node 20.12; before it, text stays plain. The stream was asked above, so it is not asked again.
  const styleText = util.styleText as undefined | ((format: Format, text: string, options: object) => string);
  return styleText ? styleText(format, text, { validateStream: false }) : text;
}
