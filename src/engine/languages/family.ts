/** Families of languages, by which rarity is counted: a number from 0 to 255 for each. */

/** Comments are in one language, whatever the code around them is in. */
export const commentFamily = familyOf('comment');

/** A small hash: languages that share a number only make their tokens look a little more common. */
export function familyOf(id: string): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) & 0xff;
  return hash;
}
