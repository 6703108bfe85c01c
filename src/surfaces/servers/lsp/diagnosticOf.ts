/** Converts a copy into a diagnostic, with the other copies as related locations. */
import { type Diagnostic, DiagnosticSeverity, type Location } from 'vscode-languageserver/node';
import type { Copy } from '../../../session/client/report.ts';
import { duplicateCode, siblingsOf } from '../../../presentation/wording/siblings.ts';
import type { Passage } from '../../../core/engine/report/report.ts';
import type { ClientSettings } from './clientSettings.ts';
import { messageOf, rangeOf, siblingText } from './copies.ts';

/** Maximum number of related locations. The request `kindred/copies` returns all. */
const maxRelated = 5;

const severities = {
  hint: DiagnosticSeverity.Hint,
  information: DiagnosticSeverity.Information,
  warning: DiagnosticSeverity.Warning,
  error: DiagnosticSeverity.Error,
} as const;

/** Returns the diagnostic for a copy; `undefined` if the settings disable diagnostics for such copies. */
export function diagnosticOf(
  copy: Copy,
  { severity, range }: ClientSettings,
  locate: (passage: Passage) => Location,
): Diagnostic | undefined {
  const level = severity[copy.group.category];
  if (level === 'off') return undefined;
  const whole = rangeOf(copy.passage);
  // By the protocol, a character position beyond the end of the line means the end of the line.
  const firstLine = { start: whole.start, end: { line: whole.start.line, character: 10_000 } };
  const isOneLine = whole.end.line === whole.start.line;
  const siblings = siblingsOf(copy);
  return {
    range: range === 'full' || isOneLine ? whole : firstLine,
    severity: severities[level],
    source: 'kindred',
    code: duplicateCode(copy.group, siblings[0]!),
    message: messageOf(copy, siblings[0]!),
    relatedInformation: siblings
      .slice(0, maxRelated)
      .map((sibling) => ({ location: locate(sibling.passage), message: siblingText(sibling) })),
    data: copy.group.id,
  };
}
