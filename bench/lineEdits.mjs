/**
 * Edits of lines like those of a user. Statements are added, removed, swapped, and replaced, and names, literals, and
 * arguments change. Each unedited line of the result refers to its line in the original.
 */
import { shuffled } from './realTexts.mjs';

/** @typedef {import('./realTexts.mjs').RealText} RealText */

/**
 * A line and its position in the original, or −1 if it is new or edited.
 *
 * @typedef {{ text: string, origin: number }} EditedLine
 */

/**
 * Returns a copy of lines [from, to) of a text. The number of edited, removed, and added lines is the given share of
 * the counted lines.
 *
 * @param {RealText} original
 * @param {{ rate: number, donors: readonly string[], random: () => number, from?: number, to?: number }} how
 *   `donors` are statements of other texts of the language, to insert
 * @returns {EditedLine[]}
 */
export function editLines(original, { rate, donors, random, from = 0, to = original.lines.length }) {
  const lines = original.lines.slice(from, to).map((text, i) => ({ text, origin: from + i }));
  const counted = lines.filter(({ origin }) => original.tokens[origin].length > 0).length;
  const budget = rate > 0 ? Math.max(1, Math.round(rate * counted)) : 0;
  let touched = 0;
  for (let attempt = 0; touched < budget && attempt < 20 * budget + 20; attempt++) {
    const places = statementPlaces(original, lines);
    if (places.length === 0) break;
    const at = pick(places, random);
    const operator = pick(original.prose ? operatorsOfProse : operatorsOfCode, random);
    touched += operator({ original, lines, at, donors, random, maxLines: budget - touched });
  }
  return lines;
}

/**
 * Returns the lines of a text that are complete statements, judged by their brackets.
 *
 * @param {RealText} text
 */
export function statementsOf(text) {
  return text.lines.filter((_, i) => isStatement(text, i));
}

function statementPlaces(original, lines) {
  return lines.flatMap(({ origin }, place) => (origin >= 0 && isStatement(original, origin) ? [place] : []));
}

function isStatement({ lines, tokens, prose }, line) {
  const own = tokens[line];
  if (own.length < 3 || own.some(({ to }) => to === Infinity)) return false;
  if (prose) return true;
  const text = lines[line];
  return ['()', '[]', '{}'].every(
    ([open, close]) => text.split(open).length === text.split(close).length && !text.trim().startsWith(close),
  );
}

// ---------------------------------------------------------------------------------------------------------------------
// The operators. Each edits the lines at a position and returns the number of edited lines, or 0 if it does not apply.

const operatorsOfCode = [
  ...[insert, insertBlock, remove, removeBlock, replace, replace],
  ...[changeLiterals, changeName, addArgument, renameAround, swap],
];
const operatorsOfProse = [insert, insertBlock, remove, removeBlock, replace, changeWords, changeWords, swap];

function insert({ lines, at, donors, random }) {
  if (donors.length === 0) return 0;
  lines.splice(at + 1, 0, { text: indented(lines[at].text, pick(donors, random)), origin: -1 });
  return 1;
}

function insertBlock({ lines, at, donors, random, maxLines }) {
  const count = 2 + Math.floor(random() * 7);
  if (count > maxLines || donors.length === 0) return 0;
  const block = Array.from({ length: count }, () => indented(lines[at].text, pick(donors, random)));
  lines.splice(at + 1, 0, ...block.map((text) => ({ text, origin: -1 })));
  return count;
}

function remove({ lines, at }) {
  lines.splice(at, 1);
  return 1;
}

function removeBlock({ original, lines, at, random, maxLines }) {
  const count = 2 + Math.floor(random() * 7);
  if (count > maxLines || at + count > lines.length) return 0;
  const block = lines.slice(at, at + count);
  if (!block.every(({ origin }) => origin >= 0 && isStatement(original, origin))) return 0;
  lines.splice(at, count);
  return count;
}

function replace({ lines, at, donors, random }) {
  if (donors.length === 0) return 0;
  lines[at] = { text: indented(lines[at].text, pick(donors, random)), origin: -1 };
  return 1;
}

function changeLiterals({ original, lines, at, random }) {
  return changeTokens(original, lines, at, (token, text) => otherLiteral(token, text, random));
}

/** Replaces a number or a string by another one. Other tokens are unchanged. */
export function otherLiteral({ kind }, text, random) {
  if (kind === 'number') return String(2 + Math.floor(random() * 9997));
  // Without the quotes. The content consists mostly of letters.
  if (kind !== 'string' || text.length < 3) return text;
  return `${text[0]}${freshName(random)}${text.at(-1)}`;
}

function changeName({ original, lines, at, random }) {
  const names = original.tokens[lines[at].origin].filter(isName);
  if (names.length === 0) return 0;
  const changedName = pick(names, random);
  return changeTokens(original, lines, at, (token, text) => (token === changedName ? freshName(random) : text));
}

function changeWords({ original, lines, at, random }) {
  const words = original.tokens[lines[at].origin];
  const changedWords = new Set(shuffled(words, random).slice(0, Math.max(1, words.length >> 2)));
  return changeTokens(original, lines, at, (token, text) => (changedWords.has(token) ? freshName(random) : text));
}

/** Inserts an argument before an argument that is a single name. */
function addArgument({ original, lines, at, random }) {
  const { text, origin } = lines[at];
  const argument = original.tokens[origin].find(
    (token) => isName(token) && '(,'.includes(text[token.from - 1] ?? ' ') && /[,)]/.test(text[token.to] ?? ''),
  );
  if (argument === undefined) return 0;
  return changeTokens(original, lines, at, (token, name) =>
    token === argument ? `${freshName(random)}, ${name}` : name,
  );
}

/** Renames a name in the next thirty lines. */
function renameAround({ original, lines, at, random, maxLines }) {
  const names = original.tokens[lines[at].origin].filter(isName);
  if (names.length === 0) return 0;
  const { word } = pick(names, random);
  const fresh = freshName(random);
  let touched = 0;
  for (let place = at; place < Math.min(at + 30, lines.length) && touched < maxLines; place++) {
    if (lines[place].origin < 0) continue;
    touched += changeTokens(original, lines, place, (token, text) => (token.word === word ? fresh : text));
  }
  return touched;
}

function swap({ original, lines, at, random, maxLines }) {
  const other = at + 2 + Math.floor(random() * 10);
  const [one, two] = [lines[at], lines[other]];
  if (maxLines < 2 || !two || two.origin < 0 || !isStatement(original, two.origin) || one.text === two.text) return 0;
  lines[at] = { text: two.text, origin: -1 };
  lines[other] = { text: one.text, origin: -1 };
  return 2;
}

function changeTokens(original, lines, at, change) {
  const { text, origin } = lines[at];
  const changed = mapTokens(text, original.tokens[origin], change);
  if (changed === text) return 0;
  lines[at] = { text: changed, origin: -1 };
  return 1;
}

/**
 * Replaces each token of a line by the result of `change`. Tokens that end on other lines are unchanged.
 *
 * @param {string} line
 * @param {readonly import('./realTexts.mjs').Token[]} tokens
 * @param {(token: import('./realTexts.mjs').Token, text: string) => string} change
 */
export function mapTokens(line, tokens, change) {
  let changed = line;
  for (const token of [...tokens].reverse()) {
    if (token.to === Infinity) continue;
    const before = line.slice(token.from, token.to);
    changed = `${changed.slice(0, token.from)}${change(token, before)}${changed.slice(token.to)}`;
  }
  return changed;
}

/** @param {import('./realTexts.mjs').Token} token */
export function isName({ kind }) {
  return kind === 'identifier' || kind === 'call';
}

function indented(like, text) {
  return `${/^\s*/.exec(like)?.[0]}${text.trim()}`;
}

const syllables = 'ba co di fe gu ha ki lo mu ne po ra si ta vu we xo yi za'.split(' ');

/** Returns a name of three syllables. */
export function freshName(random) {
  return Array.from({ length: 3 }, () => pick(syllables, random)).join('');
}

/**
 * @template Item
 * @param {readonly Item[]} list
 * @param {() => number} random
 * @returns {Item}
 */
function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}
