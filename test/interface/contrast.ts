/** Readability of texts in a page: their contrast by WCAG 2.2, from computed styles. */
import type { Locator } from 'playwright-core';

/** Minimums for normal text, and for large text and icons: level AA (success criteria 1.4.3 and 1.4.11). */
export const minContrast = { text: 4.5, icon: 3 } as const;

export interface Contrast {
  readonly text: string;
  /** From 1 (invisible) to 21. */
  readonly ratio: number;
}

/** Properties of an element in the page: its color, and the layers painted by it and its parents, outermost first. */
interface Painted {
  readonly text: string;
  readonly colour: string;
  readonly layers: readonly { readonly background: string; readonly opacity: number }[];
}

/** Minimal interface of an element, because the tests have no DOM types. */
interface PageElement {
  readonly textContent: string;
  readonly className: string;
  readonly parentElement: PageElement | null;
  readonly checkVisibility: () => boolean;
}
declare const getComputedStyle: (element: PageElement) => {
  readonly color: string;
  readonly backgroundColor: string;
  readonly opacity: string;
};

/** Runs in the page, which knows computed styles. */
function describe(elements: readonly PageElement[]): Painted[] {
  return elements
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const layers = [];
      for (let at: PageElement | null = element; at !== null; at = at.parentElement) {
        const { backgroundColor, opacity } = getComputedStyle(at);
        layers.unshift({ background: backgroundColor, opacity: Number(opacity) });
      }
      return { text: element.textContent.trim() || element.className, colour: getComputedStyle(element).color, layers };
    });
}

/** Returns the contrast of each visible element. */
export async function contrastsOf(elements: Locator): Promise<Contrast[]> {
  const painted = await elements.evaluateAll(describe);
  return painted.map(({ text, colour, layers }) => {
    const [background, foreground] = [undefined, colourOf(colour)].map((top) => paint(layers, white, top));
    const [dark, light] = [luminance(background), luminance(foreground)].sort((x, y) => x - y);
    return { text, ratio: (light + 0.05) / (dark + 0.05) };
  });
}

/** Red, green, blue, and opacity, each from 0 to 1. */
type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const white: Colour = [1, 1, 1, 1];

/** Returns the visible color of the layers on a backdrop, with an optional text color on the innermost. */
function paint(layers: Painted['layers'], backdrop: Colour, top: Colour | undefined): Colour {
  const [layer, ...inner] = layers;
  if (layer === undefined) return top === undefined ? backdrop : over(top, backdrop);
  const all = paint(inner, over(colourOf(layer.background), backdrop), top);
  return over([all[0], all[1], all[2], layer.opacity], backdrop);
}

function over([red, green, blue, alpha]: Colour, below: Colour): Colour {
  const mixed = (above: number, under: number): number => above * alpha + under * (1 - alpha);
  return [mixed(red, below[0]), mixed(green, below[1]), mixed(blue, below[2]), 1];
}

/** Parses computed styles: "rgb(24, 24, 24)", "rgba(0, 0, 0, 0.5)", and "color(srgb 0.1 0.1 0.1 / 0.5)". */
function colourOf(css: string): Colour {
  const [red, green, blue, alpha = 1] = (css.replace(/^\w+\((?:srgb)?/, '').match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(
    Number,
  );
  if (red === undefined || green === undefined || blue === undefined) throw new Error(`${css} is no colour.`);
  const range = css.startsWith('rgb') ? 255 : 1;
  return [red / range, green / range, blue / range, alpha];
}

function luminance([red, green, blue]: Colour): number {
  const [r, g, b] = [red, green, blue].map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
