/** Lists shingles with their tokens and weights. */
import * as l10n from '@vscode/l10n';
import { element } from '../report/elements.ts';
import type { WeightedShingle } from './messages.ts';
import { quantity } from './numbers.ts';

/**
 * Creates a list of up to `max` shingles, and states how many there are in addition.
 *
 * @param weightOf    text with the weight of a shingle
 * @param attributes  attributes of the list
 */
export function shingleList(
  shingles: readonly WeightedShingle[],
  max: number,
  weightOf: (shingle: WeightedShingle) => string,
  attributes: Readonly<Record<string, string>> = {},
): HTMLElement {
  const more = shingles.length - max;
  return element(
    'ul',
    attributes,
    ...shingles
      .slice(0, max)
      .map((shingle) =>
        element(
          'li',
          {},
          element('code', {}, shingle.tokens.join(' ')),
          element('span', { class: 'number' }, weightOf(shingle)),
        ),
      ),
    more > 0 && element('li', { class: 'quiet' }, l10n.t('… and {0} more', quantity(more))),
  );
}
