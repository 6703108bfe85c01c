/** Buttons that select the groups to count: by type of copy (in the color of its bars), and by category. */
import type { Category } from '../../../core/engine/rows/category.ts';
import { button, element } from '../report/elements.ts';
import type { CountedKinds, TunerTexts } from '../../../presentation/pages/tunerMessages.ts';

type Type = CountedKinds['types'][number];

export class CountedChoice {
  readonly element: HTMLElement;
  readonly #texts: TunerTexts;
  readonly #types: ReadonlyMap<Type, HTMLButtonElement>;
  readonly #categories: ReadonlyMap<Category, HTMLButtonElement>;
  #counted: CountedKinds = { types: [], categories: [] };

  /** @param onChoose  called with the new selection */
  constructor(texts: TunerTexts, onChoose: (counted: CountedKinds) => void) {
    this.#texts = texts;
    this.#types = this.#switches(texts.types, (type) =>
      onChoose({ ...this.#counted, types: toggled(this.#counted.types, type) }),
    );
    this.#categories = this.#switches(texts.categories, (category) =>
      onChoose({ ...this.#counted, categories: toggled(this.#counted.categories, category) }),
    );
    for (const [type, it] of this.#types) it.prepend(element('i', { class: type }));
    this.element = element(
      'div',
      { class: 'counted' },
      element('span', { role: 'group', 'aria-label': texts.typeGroup }, ...this.#types.values()),
      element('span', { role: 'group', 'aria-label': texts.categoryGroup }, ...this.#categories.values()),
    );
  }

  /** @param present  categories that occur in the report */
  draw(counted: CountedKinds, present: readonly Category[]): void {
    this.#counted = counted;
    for (const [type, it] of this.#types) it.setAttribute('aria-pressed', String(counted.types.includes(type)));
    for (const [category, it] of this.#categories) {
      const isOn = counted.categories.includes(category);
      it.setAttribute('aria-pressed', String(isOn));
      it.hidden = !isOn && !present.includes(category);
    }
  }

  #switches<Name extends string>(
    labels: Readonly<Record<Name, string>>,
    onToggle: (name: Name) => void,
  ): ReadonlyMap<Name, HTMLButtonElement> {
    return new Map(
      (Object.entries(labels) as [Name, string][]).map(([name, label]) => [
        name,
        button(label, { 'data-counted': name, title: this.#texts.countedAbout }, () => onToggle(name)),
      ]),
    );
  }
}

/** Returns a list with a value added if it was missing, or removed if it was there. */
function toggled<Value>(list: readonly Value[], value: Value): readonly Value[] {
  return list.includes(value) ? list.filter((each) => each !== value) : [...list, value];
}
