/**
 * The languages of excerpts. Whatever watches over a language in VS Code would take an excerpt for a file that is broken off
 * ("End of file expected"): most services go by the language alone. So an excerpt of TypeScript is in a language of its own,
 * `kindred-typescript`, which nobody watches over and which is coloured by TypeScript's grammar. package.json has one for each
 * language that VS Code or a well-known extension brings a grammar for; all others are shown as plain text. They have no name
 * (no `aliases`), so they are not in the list of languages, and the status bar of a compare names none.
 */
import * as vscode from 'vscode';

const prefix = 'kindred-';

/** Whether a language is one of excerpts. */
export function isOfExcerpts(languageId: string): boolean {
  return languageId.startsWith(prefix);
}

/** What the name of an excerpt of a language ends with, after that of its file. */
export function excerptEnding(languageId: string): string {
  const id = `${prefix}${languageId}`;
  return `.${languagesOfExcerpts().includes(id) ? id : `${prefix}plaintext`}`;
}

function languagesOfExcerpts(): string[] {
  const manifest = vscode.extensions.getExtension('kindred.kindred')?.packageJSON as Manifest | undefined;
  return (manifest?.contributes.languages ?? []).map(({ id }) => id);
}

/** The part of our manifest that is read here. */
interface Manifest {
  readonly contributes: { readonly languages: readonly { readonly id: string }[] };
}
