/** The rows of a JSON report: what stands in one row of a list of findings. */

/**
 * For each file the rows that its lines are in, by line from 0. A row is a group with all groups that name it, or each
 * other, as `parent`. Groups of whole files are no rows here: what these share is in others.
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
