/** Button that switches between the light and the dark theme. */
import { button } from './elements.ts';

export function themeButton(label: string): HTMLElement {
  return button('◐', { class: 'theme', title: label, 'aria-label': label }, () => {
    const dark =
      document.documentElement.dataset['theme'] ??
      (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    document.documentElement.dataset['theme'] = dark === 'dark' ? 'light' : 'dark';
  });
}
