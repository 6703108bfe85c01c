/** Functions that were adapted with so many edits that no window of both is alike. */
import assert from 'node:assert/strict';
import { defaultOptions, type Options } from '../../../src/core/engine/options.ts';
import { presets } from '../../../src/core/engine/dials.ts';
import { findingsOf, groupsOf, LiveTextCorpus, placeOf, placesOf } from '../corpusOf.ts';

const encoder = `
func (e *Encoder) encodeSums(table *Table) (int, error) {
	if _, err := e.Write(table.PackSum[:]); err != nil {
		return 0, err
	}

	copy(table.TableSum[:], e.digest.Sum(nil)[:digest.Size])
	if _, err := e.Write(table.TableSum[:]); err != nil {
		return 0, err
	}

	return digest.HexSize, nil
}
`;
const adapted = `
func (e *Encoder) encodeTrailer(end *Trailer) (int, error) {
	if end == nil {
		return 0, nil
	}

	if _, err := e.Write(end.Mark[:]); err != nil {
		return 0, fmt.Errorf("mark of the end: %w", err)
	}

	n := copy(end.Sum[:], e.digest.Sum(nil)[:digest.Size])
	if _, err := e.Write(end.Sum[:]); err != nil {
		return 0, err
	}

	return n + len(end.Mark), nil
}
`;
const documents = { 'encoder.go': encoder, 'trailer.go': adapted };
const loose = presets.loose.maxDistance;
const optionsAt = (maxDistance: number): Partial<Options> => ({ maxDistance, minSimilarity: 0.45 });

suite('functions with the same patterns', () => {
  test('are found from the distance of the preset Loose on', () => {
    assert.ok(loose > defaultOptions.maxDistance);
    for (const maxDistance of [defaultOptions.maxDistance, loose - 1]) {
      assert.deepEqual(groupsOf(documents, optionsAt(maxDistance)), []);
    }
    for (const maxDistance of [loose, loose + 1]) {
      assert.deepEqual(groupsOf(documents, optionsAt(maxDistance)).map(placesOf), [
        ['encoder.go:2-13', 'trailer.go:2-17'],
      ]);
    }
  });

  test('are found in a live corpus, and by a search for one of them', () => {
    const texts: Record<string, string> = { 'encoder.go': encoder };
    const live = new LiveTextCorpus(texts, optionsAt(loose));
    const check = (path: string, text: string, isFound?: boolean): void => {
      texts[path] = text;
      live.put(path, text);
      const findings = live.findings();
      assert.deepEqual(findings, findingsOf(texts, optionsAt(loose), live.idfTable()));
      const paths = findings.groups.flatMap(({ passages }) => passages.map((passage) => passage.path));
      if (isFound !== undefined) assert.equal(paths.includes('trailer.go'), isFound);
    };
    check('trailer.go', 'func pause() int {\n\treturn 20\n}\n', false);
    const similar = live.similar('other.go', adapted).passages;
    assert.deepEqual(
      similar.map(({ passage }) => placeOf(passage)),
      ['encoder.go:2-13'],
    );
    check('trailer.go', adapted, true);
    check('trailer.go', '', false);
    check('trailer.go', adapted, true);
    // Patterns of more than eight lines are not linked.
    for (let copy = 0; copy < 8; copy++) check(`copies/${copy}.go`, encoder);
    check('copies/8.go', encoder, false);
  });
});
