/** Creates DOM elements. Strings always become text nodes, never HTML. */

type Child = Node | string | undefined | false;

/** Creates an element with attributes and children. Children that are `undefined` or `false` are omitted. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return made;
}

/** Returns a path as nodes, with a possible line break after each slash. */
export function pathNodes(path: string): (Node | string)[] {
  return path.split(/(?<=[/,])/).flatMap((piece) => [piece, document.createElement('wbr')]);
}

export function button(
  label: string,
  attributes: Readonly<Record<string, string | undefined>>,
  onClick: () => void,
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** Formats a number in the language of the page: "12,034". */
export function number(quantity: number): string {
  return quantity.toLocaleString(document.documentElement.lang);
}
