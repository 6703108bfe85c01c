/** Benches that open a window of VS Code run on tiny trees. */
import { benches } from '../../bench/benches.mjs';
import { testTinyRuns } from './tinyRuns.ts';

suite('benches in a window', () => {
  testTinyRuns(benches.filter(({ opensWindow }) => opensWindow === true));
});
