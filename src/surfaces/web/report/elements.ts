/** Creates elements from data. Text is always text, never markup. */

type Child = Node | string | undefined | false;

/** Creates an element with attributes and children. Undefined and false children are omitted. */
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

/** Returns a path with optional line breaks after its slashes. */
export function pathNodes(path: string): (Node | string)[] {
  return path.split(/(?<=[/,])/).flatMap((piece) => [piece, document.createElement('wbr')]);
}

/** Creates a button with an action. */
export function button(
  label: string,
  attributes: Readonly<Record<string, string | undefined>>,
  onClick: () => void,
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onClick);
  return made;
}

/** "12,034", in the language of the page. */
export function number(quantity: number): string {
  return quantity.toLocaleString(document.documentElement.lang);
}
