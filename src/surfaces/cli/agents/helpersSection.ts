/** The replaceable section in AGENTS.md, between two comments, that lists functions for agents to call. */
import { codeSpan } from '../../../presentation/wording/markdownCode.ts';
import { printable } from '../../../presentation/wording/printable.ts';
import type { Helper } from './copiedHelpers.ts';

export const agentsFile = 'AGENTS.md';

const begin = '<!-- kindred:begin, renewed by "kindred init --agents" -->';
const end = '<!-- kindred:end -->';

/**
 * Returns the text with the section replaced, or appended if there is none. Returns an error message if the markers are
 * invalid.
 *
 * @param text    current text; `undefined` if the file does not exist
 * @param server  name of the MCP server in the settings of agents
 */
export function withHelpers(
  text: string | undefined,
  helpers: readonly Helper[],
  server: string,
): { readonly text: string } | { readonly problem: string } {
  const eol = text?.includes('\r\n') ? '\r\n' : '\n';
  const section = sectionOf(helpers, server).join(eol);
  if (text === undefined || text.trim() === '') return { text: `${section}${eol}` };
  const begins = [...text.matchAll(/^<!-- kindred:begin\b.*-->/gm)];
  const ends = [...text.matchAll(/^<!-- kindred:end -->/gm)];
  if (begins.length === 0 && ends.length === 0) {
    const gap = text.endsWith(`${eol}${eol}`) ? '' : text.endsWith(eol) ? eol : `${eol}${eol}`;
    return { text: `${text}${gap}${section}${eol}` };
  }
  if (begins.length !== 1 || ends.length !== 1 || begins[0]!.index > ends[0]!.index) {
    return {
      problem: `${agentsFile} must have "${begin}" and, below it, "${end}" once each; restore them, or remove both.`,
    };
  }
  return { text: `${text.slice(0, begins[0]!.index)}${section}${text.slice(ends[0]!.index + end.length)}` };
}

/** Returns true if a text consists only of the section that Kindred maintains. */
export function isOnlySection(text: string | undefined): boolean {
  return (text ?? '').replace(/<!-- kindred:begin\b[^]*<!-- kindred:end -->/, '').trim() === '';
}

function sectionOf(helpers: readonly Helper[], server: string): readonly string[] {
  const advice =
    'Before you write a function, class, test, or section of more than ten lines, call `find_similar` of the MCP server ' +
    `${printable(codeSpan(server))} with a draft. Before you finish, call \`check_changes\`.`;
  const list = [
    'These were copied most often. Call one, or extend it, instead of writing it again:',
    '',
    ...helpers.map(itemOf),
    '',
  ];
  return [begin, '', '## Existing code', '', advice, '', ...(helpers.length === 0 ? [] : list), end];
}

function itemOf({ name, signature, path, about }: Helper): string {
  const item = `- ${codeSpan(name)} in ${codeSpan(path)}: ${codeSpan(signature)}. ${about}`;
  // Remove comment markers that came from a source file, because they would end the section.
  return printable(item).replaceAll(/<!--|-->/g, '');
}
