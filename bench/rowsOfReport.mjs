/** The rows of a JSON report: the passages that are in one row of a list of findings. */

/**
 * Returns the rows of each line by file, with lines from 0. A row is a group with all groups that refer to it or to
 * each other as `parent`. Groups of whole files are not rows here, because their common lines are in other groups.
 *
 * @param {{ groups: readonly { id: string, kind: string, parent?: string,
 *   passages: readonly { path: string, startLine: number, endLine: number }[] }[] }} report
 * @returns {Map<string, (Set<string> | undefined)[]>}
 */
export function rowsByLine({ groups }) {
  const rows = groups.filter(({ kind }) => kind !== 'file');
  const parents = new Map(rows.flatMap(({ id, parent }) => (parent === undefined ? [] : [[id, parent]])));
  const byLine = new Map();
  for (const { id, passages } of rows) {
    let row = id;
    while (parents.has(row)) row = parents.get(row);
    for (const { path, startLine, endLine } of passages) {
      if (!byLine.has(path)) byLine.set(path, []);
      const lines = byLine.get(path);
      for (let line = startLine - 1; line < endLine; line++) (lines[line] ??= new Set()).add(row);
    }
  }
  return byLine;
}
