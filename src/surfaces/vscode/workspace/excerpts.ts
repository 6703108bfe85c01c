/**
 * Languages of excerpts, the virtual documents of a comparison. Most language services select documents only by
 * language, and would report errors in an excerpt, such as "End of file expected". So an excerpt of TypeScript has the
 * language `kindred-typescript`, which has the grammar of TypeScript but no language service. package.json defines such
 * a language for each language with a grammar in VS Code or in a well-known extension. Other excerpts are plain text.
 * These languages have no `aliases`, so VS Code does not list them for users. docs/internals.md explains why nothing
 * shorter would do.
 */
import * as vscode from 'vscode';

const prefix = 'kindred-';

export function isOfExcerpts(languageId: string): boolean {
  return languageId.startsWith(prefix);
}

/**
 * Returns the path for an excerpt's URI. Its folder determines the language.
 *
 * @param heading  file name, which multi-diff editors show as the heading
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
