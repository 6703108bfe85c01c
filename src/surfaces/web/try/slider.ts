/** A slider with its label and its value. */
import { element } from '../report/elements.ts';
import { quantity } from './numbers.ts';

export interface SliderOptions {
  readonly id: string;
  readonly label: string;
  /** Explanation shown below the label. */
  readonly about?: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  readonly format?: ((value: number) => string) | undefined;
  readonly onInput: (value: number) => void;
}

export interface Slider {
  readonly element: HTMLElement;
  /** Shows another value. Does not call `onInput`. */
  readonly show: (value: number) => void;
}

export function slider({ id, label, about, min, max, step, value, format = quantity, onInput }: SliderOptions): Slider {
  const output = element('output', { for: id }, format(value));
  const input = element('input', {
    type: 'range',
    id,
    min: String(min),
    max: String(max),
    step: String(step),
    value: String(value),
    'aria-describedby': about === undefined ? undefined : `${id}-about`,
  });
  input.addEventListener('input', () => {
    output.textContent = format(input.valueAsNumber);
    onInput(input.valueAsNumber);
  });
  return {
    element: element(
      'div',
      { class: 'slider' },
      element('label', { for: id }, label),
      output,
      input,
      about !== undefined && element('p', { class: 'quiet', id: `${id}-about` }, about),
    ),
    show: (shown) => {
      input.value = String(shown);
      // The value of the input is rounded to a step.
      output.textContent = format(shown);
    },
  };
}
