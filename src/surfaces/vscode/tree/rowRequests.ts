/**
 * Detects answers that VS Code drops. VS Code requests the rows below a row and then their items. If another request
 * for the same row, or for the top level, begins before that, VS Code ignores the earlier answer and shows the row open
 * and empty. `TreeView.reveal` makes such requests, for example when the view is shown while an editor is at a copy. So
 * the tree must be refreshed after requests that overlap.
 */
import { type Row, topId } from './rows.ts';

export class RowRequests {
  readonly #refresh: () => void;
  /** Rows without an item so far, by the id of the row that contains them. */
  readonly #open = new Map<string, Set<Row>>();
  #haveOverlapped = false;

  /** @param refresh  called when the requests have ended, if some of them overlapped. It must call `clear` */
  constructor(refresh: () => void) {
    this.#refresh = refresh;
  }

  /** Must be called when VS Code requests the rows below a row, given the id of that row. */
  begin(inRow: string, rows: readonly Row[]): void {
    if (this.#open.has(inRow) || (inRow === topId && this.#open.size > 0)) this.#haveOverlapped = true;
    if (rows.length > 0) this.#open.set(inRow, new Set(rows));
    else this.#open.delete(inRow);
  }

  /** Must be called when the item of a row was created, or could not be created. */
  end(row: Row): void {
    for (const [inRow, rows] of this.#open) {
      if (rows.delete(row) && rows.size === 0) this.#open.delete(inRow);
    }
    if (this.#haveOverlapped && this.#open.size === 0) this.#refresh();
  }

  /** Must be called before each refresh, after which VS Code makes all requests again. */
  clear(): void {
    this.#open.clear();
    this.#haveOverlapped = false;
  }
}
