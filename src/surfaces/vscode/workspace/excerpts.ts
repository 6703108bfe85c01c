/**
 * Languages of excerpts, the virtual documents of a compare. Most language services select documents by language alone,
 * and would report errors in an excerpt, such as "End of file expected". So an excerpt of TypeScript has the language
 * `kindred-typescript`: it has the grammar of TypeScript but no language service. package.json defines such a language
 * for each language with a grammar in VS Code or in a well-known extension. Excerpts of other languages are plain text.
 * These languages have no `aliases`, so VS Code does not offer them in its list of languages and in the status bar.
 */
import * as vscode from 'vscode';

const prefix = 'kindred-';

export function isOfExcerpts(languageId: string): boolean {
  return languageId.startsWith(prefix);
}

/**
 * Returns the path for the URI of an excerpt. The folder in it determines the language.
 *
 * @param heading  file name, which the multi-diff editor shows as the heading
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
