/**
 * Searches for an existing function that does what a function does that an agent has just written. Functions that
 * resemble each other for other reasons are left out: renamed ones, implementations of the same interface, accessors,
 * and functions of a few tokens.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { judgeText } from '../../core/engine/rows/category.ts';
import { hasOwnName, isCallable } from '../../presentation/wording/callable.ts';
import { type Declaration, declarationsIn, hasBody, lastName } from '../../presentation/wording/declarations.ts';
import type { FileWrite, Edit } from './hookEvent.ts';
import { differenceOf, type UnitDifference } from './unitDifference.ts';
import { isFunction, type SimilarUnit, textOf, type UnitIndex } from './unitIndex.ts';

/** A function, and its place in the tree. */
export interface PlacedFunction extends Declaration {
  readonly text: string;
  /** Path relative to the root of the tree. */
  readonly path: string;
}

/** A function at the time when it was indexed or written. It may have moved since then. */
export type RecordedFunction = Pick<PlacedFunction, 'path' | 'name' | 'startLine'>;

export interface FoundFunction {
  readonly written: PlacedFunction;
  readonly existing: PlacedFunction;
  readonly difference: UnitDifference;
  /** True if other files can call the existing function. */
  readonly isCallable: boolean;
}

/** The tree, its index, and the path of the written file in it. */
export interface Tree {
  readonly root: string;
  readonly own: string;
  readonly lexicon: Lexicon;
  readonly units: UnitIndex;
}

/**
 * Requirements for a note: the score in the index, the weight of the shared terms, the similarity, the sum of score and
 * similarity, and the number of tokens. They were chosen with real and written edits
 * (bench/results/2026-11-28-hook-notes.md). `brief` is the number of tokens if only local names differ.
 */
const minimum = { score: 0.2, shared: 3, similarity: 0.5, sum: 0.8, tokens: 32, brief: 20 };
/** Requirements for a function of fewer than `tokens` tokens: short functions resemble each other by chance. */
const ofShort = { tokens: 50, similarity: 0.7, sum: 1.1 };
/** Requirement for a score below `score`. */
const ofUnlikeTerms = { score: 0.27, sum: 1 };
/** If the score reaches `score`, the functions are nearly equal, and this lower weight of shared terms suffices. */
const close = { score: 0.55, shared: 1.5 };
/** Requirements for functions that probably implement an interface: with equal names, or those of a framework. */
const ofSiblings = { similarity: 0.9, tokens: 80 };
/** Minimum similarity of two functions in one file, whose author probably knows both. */
const minInFile = 0.8;
/** Minimum similarity of a function to the one that it replaces under another name. */
const minOfRenamed = 0.5;
/** Number of most similar units whose files are read. Units may have been removed since they were indexed. */
const maxCandidates = 20;
/** Share of the best score for comparing functions token by token. Of these, callable ones are preferred. */
const asGood = 0.9;

/** Returns the existing function for the longest written one that has any. */
export function existingFunction(write: FileWrite, tree: Tree): FoundFunction | undefined {
  const content = readFileSync(write.file, 'utf8');
  const ownText = declaredIn(content);
  const { lines } = ownText;
  const file: WrittenFile = {
    written: writtenDeclarations(content, write.edits),
    replaced: write.edits.flatMap(({ before }) => functionsIn(before.split(/\r?\n/), tree.own)).filter(isGone),
    read: readerOf(tree, ownText),
    isDraft: () => false,
  };
  for (const one of file.written) {
    // Skip functions that existed before. Clients may report a complete file as written when only a few lines have
    // changed.
    if (!isOrdinary(one, lines) || tree.units.has(tree.own, one.name)) continue;
    const found = existingFor({ ...one, path: tree.own, text: textOf(lines, one) }, file, tree);
    if (found) return found;
  }
  return undefined;

  /** Returns true if the file no longer declares a function. */
  function isGone({ name }: Declaration): boolean {
    return !ownText.declarations.some((one) => one.name === name);
  }
}

/**
 * Returns the existing function that is most similar to the longest function of a text. Skips the text itself if a file
 * of the tree already contains it.
 */
export function functionLike(text: string, { root, lexicon, units }: Omit<Tree, 'own'>): FoundFunction | undefined {
  const fileDeclarations = declaredIn(text);
  const { lines } = fileDeclarations;
  const [longest] = fileDeclarations.declarations
    .filter((one) => isOrdinary(one, lines))
    .sort((a, b) => b.endLine - b.startLine - (a.endLine - a.startLine));
  if (longest === undefined) return undefined;
  // No file of the tree has an empty path.
  const tree = { root, own: '', lexicon, units };
  const written = { ...longest, path: tree.own, text: textOf(lines, longest) };
  const isDraft = (one: PlacedFunction): boolean => one.name === written.name && sameText(one, written);
  return existingFor(written, { written: [], replaced: [], read: readerOf(tree, fileDeclarations), isDraft }, tree);
}

/** Lines of a file, and its declarations. */
interface DeclaredLines {
  readonly lines: readonly string[];
  readonly declarations: readonly Declaration[];
}

interface WrittenFile {
  readonly written: readonly Declaration[];
  /** Functions that the edits removed. */
  readonly replaced: readonly PlacedFunction[];
  /** Returns true for the written function itself in another place. */
  readonly isDraft: (one: PlacedFunction) => boolean;
  /** Returns the content of a file of the tree. */
  readonly read: (path: string) => DeclaredLines;
}

/** Returns a function that reads files of a tree, each file once. The text of the tree's own file is not read. */
function readerOf({ root, own }: Pick<Tree, 'root' | 'own'>, ownText: DeclaredLines): WrittenFile['read'] {
  const filesByPath = new Map([[own, ownText]]);
  return (name) => {
    const file = filesByPath.get(name) ?? declaredIn(contentOf(path.join(root, name)));
    filesByPath.set(name, file);
    return file;
  };
}

function declaredIn(content: string): DeclaredLines {
  const lines = content.split(/\r?\n/);
  return { lines, declarations: declarationsIn(lines) };
}

function existingFor(written: PlacedFunction, file: WrittenFile, tree: Tree): FoundFunction | undefined {
  const { own, units, lexicon } = tree;
  if (file.replaced.some((old) => differenceOf(old, written, lexicon.id).similarity >= minOfRenamed)) return undefined;
  const found: Candidate[] = [];
  let best = 0;
  for (const unit of units.similarTo(written.text, lexicon, maxCandidates)) {
    if (unit.score < Math.max(minimum.score, asGood * best)) break;
    if (!sharesTerms(unit) || lexiconForPath(unit.path) !== lexicon) continue;
    const { lines, declarations } = file.read(unit.path);
    const declaration = declarationNear(declarations, unit);
    // The function was moved within the file, or has a new name.
    if (declaration === undefined && unit.path === own) return undefined;
    if (declaration === undefined || !isOrdinary(declaration, lines)) continue;
    const existing = { ...declaration, path: unit.path, text: textOf(lines, declaration) };
    if (file.isDraft(existing) || (unit.path === own && isPartOf(existing, written, file))) continue;
    if (!unit.isNew) best = Math.max(best, unit.score);
    const difference = differenceOf(existing, written, lexicon.id);
    if (!isWorthNote({ existing, written, difference, score: unit.score })) continue;
    const canCall = isCallable({ ...existing, language: lexicon.id }, lines);
    const isSource = isSourcePath(unit.path);
    found.push({ written, existing, difference, isCallable: canCall, isNew: unit.isNew, isSource });
    if (canCall && isSource && !unit.isNew) break;
  }
  return preferredOf(found);
}

interface Candidate extends FoundFunction, Pick<SimilarUnit, 'isNew'> {
  readonly isSource: boolean;
}

/** As `homeOf` does, prefers source to tests and examples, and committed functions to new ones, which may be copies. */
function preferredOf(found: readonly Candidate[]): FoundFunction | undefined {
  const callable = found.filter((one) => one.isCallable);
  return (
    callable.find((one) => one.isSource && !one.isNew) ??
    callable.find((one) => one.isSource) ??
    callable.find((one) => !one.isNew) ??
    callable[0] ??
    found[0]
  );
}

function isSourcePath(name: string): boolean {
  return judgeText(name, { prose: false, data: false, generated: false }).category === 'source';
}

/** Returns true if two functions have the same text except for white space. */
function sameText({ text: a }: PlacedFunction, { text: b }: PlacedFunction): boolean {
  return a.replaceAll(/\s+/g, ' ').trim() === b.replaceAll(/\s+/g, ' ').trim();
}

function functionsIn(lines: readonly string[], own: string): PlacedFunction[] {
  return declarationsIn(lines)
    .filter(isFunction)
    .map((one) => ({ ...one, path: own, text: textOf(lines, one) }));
}

/** Returns true for a function with a body that is not an accessor. Overload signatures have no body. */
function isOrdinary(one: Declaration, lines: readonly string[]): boolean {
  const text = textOf(lines, one);
  return (
    isFunction(one) &&
    hasBody(one, lines) &&
    // A call with a block, such as `list.forEach(item => {`.
    !(one.name.includes('.') && !/\b(?:function|fun|func|def|sub)\b|=(?!>)/.test(one.signature)) &&
    !/^\s*(?:(?:public|private|protected|static|override|export)\s+)*[gs]et\s+[\p{L}_$#]/u.test(text) &&
    !/^(?:const|let|var|val)\b[^=]*=(?!\s*(?:async\s*)?(?:function\b|\(|<|[\p{L}_$][\p{L}\p{N}_$]*\s*=>))/u.test(
      one.signature,
    )
  );
}

function sharesTerms({ score, shared }: SimilarUnit): boolean {
  return shared >= (score >= close.score ? close.shared : minimum.shared);
}

/** Returns true if a function of the written file is written, too, or is inside or around the written one. */
function isPartOf(existing: Declaration, written: Declaration, { written: all }: WrittenFile): boolean {
  const isInside = existing.startLine <= written.endLine && written.startLine <= existing.endLine;
  return isInside || existing.name === written.name || all.some(({ startLine }) => startLine === existing.startLine);
}

interface ComparedFunction extends Pick<FoundFunction, 'written' | 'existing' | 'difference'> {
  readonly score: number;
}

function isWorthNote({ written, existing, difference, score }: ComparedFunction): boolean {
  const { similarity, tokens, parts } = difference;
  const isSibling =
    lastName(written) === lastName(existing) ||
    !hasOwnName(written) ||
    !hasOwnName(existing) ||
    /^\s*(?:\w+\s+)*override\s/.test(written.text);
  if (isSibling && (similarity < ofSiblings.similarity || tokens < ofSiblings.tokens)) return false;
  if (parts.length === 0) return tokens >= minimum.brief;
  if (written.path === existing.path && similarity < minInFile) return false;
  const required = tokens < ofShort.tokens ? ofShort : minimum;
  const sum = Math.max(required.sum, score < ofUnlikeTerms.score ? ofUnlikeTerms.sum : 0);
  return tokens >= minimum.tokens && similarity >= required.similarity && score + similarity >= sum;
}

/** Returns the content of a file; an empty text if the file was deleted. */
function contentOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function declarationNear(
  declarations: readonly Declaration[],
  { name, startLine }: RecordedFunction,
): Declaration | undefined {
  const distance = (one: Declaration): number => Math.abs(one.startLine - startLine);
  return declarations.filter((one) => one.name === name).sort((a, b) => distance(a) - distance(b))[0];
}

/** Returns a function of a tree as it is now; `undefined` if it was removed. */
export function currentFunction(root: string, recorded: RecordedFunction): PlacedFunction | undefined {
  const { lines, declarations } = declaredIn(contentOf(path.join(root, recorded.path)));
  const current = declarationNear(declarations, recorded);
  return current && { ...current, path: recorded.path, text: textOf(lines, current) };
}

/** Minimum share of a declaration's lines that are newly written. Below it, the declaration counts as edited. */
const minWritten = 0.7;
/** Maximum number of declarations to search for, longest first. */
const maxTexts = 20;
const minLines = 3;

/**
 * Returns the declarations of a file whose lines the agent has mostly written in these edits.
 *
 * @param content  content of the file after the edits
 */
function writtenDeclarations(content: string, edits: readonly Edit[]): Declaration[] {
  const written = new Set(edits.flatMap((edit) => writtenLines(content, edit)));
  return declarationsIn(content.split(/\r?\n/))
    .filter(({ startLine, endLine }) => {
      const lines = Array.from({ length: endLine - startLine + 1 }, (_, i) => startLine + i);
      return lines.length >= minLines && lines.filter((line) => written.has(line)).length >= minWritten * lines.length;
    })
    .sort((a, b) => b.endLine - b.startLine - (a.endLine - a.startLine))
    .slice(0, maxTexts);
}

/** Returns the line numbers, from 1, of an edit in the file, without unchanged lines at both of its ends. */
function writtenLines(content: string, { before, after }: Edit): number[] {
  const at = content.indexOf(after);
  if (at < 0) return [];
  const [old, now] = [before.split('\n'), after.split('\n')];
  let kept = 0;
  while (kept < old.length && kept < now.length && old[kept] === now[kept]) kept++;
  let end = 0;
  while (end < old.length - kept && end < now.length - kept && old.at(-1 - end) === now.at(-1 - end)) end++;
  const first = content.slice(0, at).split('\n').length;
  return now.slice(kept, now.length - end).map((_, i) => first + kept + i);
}
