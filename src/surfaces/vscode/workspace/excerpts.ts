/**
 * Languages of excerpts. Most language services select documents by language alone, and would report errors in excerpts
 * ("End of file expected"). So an excerpt of TypeScript has its own language `kindred-typescript`, without services,
 * and with TypeScript's grammar. package.json has one for each language with a grammar in VS Code or a well-known
 * extension; others are shown as plain text. They have no `aliases`, which hides them from the list of languages and
 * the status bar.
 */
import * as vscode from 'vscode';

const prefix = 'kindred-';

export function isOfExcerpts(languageId: string): boolean {
  return languageId.startsWith(prefix);
}

/**
 * Returns the path of an excerpt. Its folder determines the language.
 *
 * @param heading  shown as its file name by the multi-diff editor
 */
export function excerptPath(languageId: string, heading: string): string {
  const id = `${prefix}${languageId}`;
  return `/${languagesOfExcerpts().includes(id) ? id : `${prefix}plaintext`}/${heading}`;
}

function languagesOfExcerpts(): string[] {
  const manifest = vscode.extensions.getExtension('kindred.kindred')?.packageJSON as Manifest | undefined;
  return (manifest?.contributes.languages ?? []).map(({ id }) => id);
}

interface Manifest {
  readonly contributes: { readonly languages: readonly { readonly id: string }[] };
}
