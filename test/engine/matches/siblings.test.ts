/** Adjacent functions in one file, one of which was made from the other. */
import assert from 'node:assert/strict';
import { groupsOf, placesOf } from '../corpusOf.ts';

const pane = `export class Pane {
  selectNext(): void {
    const old = this.activeItem();
    const start = old ? this.items.indexOf(old) + 1 : 0;
    for (let i = start; i < this.items.length; i++) {
      const item = this.items.at(i);
      if (item.frame) {
        this.activate(item);
        break;
      }
    }
  }

  selectPrevious(): void {
    const old = this.activeItem();
    const start = old ? this.items.indexOf(old) - 1 : this.items.length - 1;
    for (let i = start; i >= 0; i--) {
      const item = this.items.at(i);
      if (item.frame) {
        this.activate(item);
        break;
      }
    }
  }
}
`;

const forms = `class Formset:
    def removed_forms(self):
        if not self.is_valid() or not self.can_remove:
            return []
        if not hasattr(self, '_removed_indexes'):
            self._removed_indexes = []
            for i, form in enumerate(self.forms):
                if i >= self.initial_count() and not form.has_changed():
                    continue
                if self.is_removed(form):
                    self._removed_indexes.append(i)
        return [self.forms[i] for i in self._removed_indexes]

    def sorted_forms(self):
        if not self.is_valid() or not self.can_sort:
            raise AttributeError("'%s' has no sorted forms" % type(self).__name__)
        if not hasattr(self, '_places'):
            self._places = []
            for i, form in enumerate(self.forms):
                if i >= self.initial_count() and not form.has_changed():
                    continue
                if self.can_remove and self.is_removed(form):
                    continue
                self._places.append((i, form.cleaned_data[ORDER]))
            self._places.sort(key=by_place)
        return [self.forms[i] for i, _ in self._places]
`;

const fields = `export class Settings {
  get width(): number {
    return this.#values.width;
  }

  set width(value: number) {
    this.#values.width = value;
    this.#changed.fire('width');
  }

  get height(): number {
    return this.#values.height;
  }

  set height(value: number) {
    this.#values.height = value;
    this.#changed.fire('height');
  }
}
`;

const readers = `<?php

class Store
{
    public function flag(string $name, $fallback = null): bool
    {
        $value = $this->read($name, $fallback);

        if (! is_bool($value)) {
            throw new UnexpectedValueException(
                sprintf('The entry [%s] has to be a flag, %s found.', $name, gettype($value))
            );
        }

        return $value;
    }

    public function list(string $name, $fallback = null): array
    {
        $value = $this->read($name, $fallback);

        if (! is_array($value)) {
            throw new UnexpectedValueException(
                sprintf('The entry [%s] has to be a list, %s found.', $name, gettype($value))
            );
        }

        return $value;
    }

    public function collection(string $name, $fallback = null): Collection
    {
        return new Collection($this->list($name, $fallback));
    }
}
`;

suite('adjacent functions', () => {
  test('a body with the head of the next function is no copy of another such passage', () => {
    assert.deepEqual(groupsOf({ 'store.php': readers }).map(placesOf), [['store.php:5-16', 'store.php:18-29']]);
  });

  test('a function with a few statements that differ from the one beside it is a copy', () => {
    assert.deepEqual(groupsOf({ 'pane.ts': pane }).map(placesOf), [['pane.ts:2-12', 'pane.ts:14-24']]);
    const [[first, second] = []] = groupsOf({ 'forms.py': forms }).map(placesOf);
    assert.match(first, /^forms\.py:[2-5]-/);
    assert.match(second, /^forms\.py:1[4-7]-/);
  });

  test('adjacent accessors are not copies', () => {
    assert.deepEqual(groupsOf({ 'settings.ts': fields }), []);
  });
});
