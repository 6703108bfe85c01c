/** Renders the shared text of copies, with parameter names in place of the holes. */
import { isOfOther } from './declaredNames.ts';
import type { Template } from './antiUnify.ts';
import type { Parameter } from './parameters.ts';

export interface ShownPart {
  /** Range of the first copy's text to render, in UTF-16 units; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Replacements for names of the first copy. */
  readonly names: ReadonlyMap<string, string>;
  /** Returns the markup for a parameter name. */
  readonly mark: (name: string) => string;
}

export function textWithParameters(
  { text, copies }: Pick<Template, 'text' | 'copies'>,
  parameters: readonly Parameter[],
  { from, to, names, mark }: ShownPart,
): string {
  const tokens = copies[0]!;
  const nameAt = new Map(parameters.flatMap(({ name, holes }) => holes.map((hole) => [hole.start, { name, hole }])));
  const parts: string[] = [];
  let end = from;
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at];
    if (token !== undefined && token.start < from) continue;
    if ((token?.start ?? text.length) > to) break;
    const found = nameAt.get(at);
    if (found) {
      const isEmpty = found.hole.end === found.hole.start;
      const start = isEmpty ? (tokens[at - 1]?.end ?? 0) : token!.start;
      // If the first copy has no text for the hole, insert the parameter after the preceding token.
      parts.push(text.slice(end, start), isEmpty ? ` ${mark(found.name)}` : mark(found.name));
      end = isEmpty ? start : tokens[found.hole.end - 1]!.end;
      at = Math.max(at, found.hole.end - 1);
      if (!isEmpty) continue;
    }
    const name = token?.kind === 'name' && !isOfOther(tokens, at) ? names.get(token.text) : undefined;
    if (token === undefined || name === undefined || token.start >= to) continue;
    parts.push(text.slice(end, token.start), name);
    end = token.end;
  }
  return parts.join('') + text.slice(end, Math.max(end, to));
}
