/**
 * Shows search results in VS Code's references view (extension `vscode.references-view`), which has a history and key
 * bindings such as F4. If that extension is disabled, shows a quick pick.
 */
import * as vscode from 'vscode';
import { isObject, type Values } from '../../../core/collections/parsedValues.ts';
import { compareFound } from '../editor/compare.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { asNotification } from '../markdown.ts';
import { showNotification } from '../notifications.ts';
import { baseName, namesAmong, placeIn, quantity, spokenRange } from '../wording.ts';
import { inCell, showLocation } from '../findings/showPassage.ts';
import { isStoredPlace } from './organisationPlaces.ts';
import { percent } from '../../../presentation/wording/likeness.ts';
import type { FoundPlace, FoundPlaces, Reach, SearchedText, SimilarSearch } from './similarSearch.ts';
import '../translations.ts';

/** Part of the API of the extension `vscode.references-view`; see its `references-view.d.ts`. */
interface SymbolTree {
  /** Shows the tree of an input. Does nothing if the location of the input is not at a word. */
  setInput(input: SymbolTreeInput): void | Promise<void>;
}

interface SymbolTreeInput {
  readonly contextValue: string;
  readonly title: string;
  readonly location: vscode.Location;
  resolve(): Promise<SymbolTreeModel | undefined>;
  /** Returns the same input at another location. The view's history calls this. */
  with(location: vscode.Location): SymbolTreeInput;
}

interface SymbolTreeModel {
  readonly provider: vscode.TreeDataProvider<FoundPlace>;
  readonly message: string | undefined;
  readonly navigation: {
    nearest(uri: vscode.Uri, position: vscode.Position): FoundPlace | undefined;
    next(from: FoundPlace): FoundPlace;
    previous(from: FoundPlace): FoundPlace;
    location(item: FoundPlace): vscode.Location | undefined;
  };
  readonly highlights: {
    getEditorHighlights(item: FoundPlace, uri: vscode.Uri): vscode.Range[] | undefined;
  };
}

/** Limits for repeating a search that found nothing. Wider limits rarely give useful results. */
const maxReach: Required<Reach> = { maxDistance: 12, minSimilarity: 0.35 };

/** The search whose results are in the view. It can be repeated with other limits. */
let shown: { readonly search: PlaceSearch; readonly searched: SearchedText; readonly reach: Reach } | undefined;

/** The searched text for which each place was found. */
const searchedFor = new WeakMap<FoundPlace, SearchedText>();

/**
 * Reads limits from the arguments that key bindings and other extensions pass, such as `{ "maxDistance": 8,
 * "minSimilarity": 0.4 }`.
 */
export function reachOf(argument: unknown): Reach {
  // `k` is the older name of `maxDistance`.
  const { k, maxDistance = k, minSimilarity }: Values = isObject(argument) ? argument : {};
  const isDistance = Number.isInteger(maxDistance) && (maxDistance as number) >= 0 && (maxDistance as number) <= 16;
  const isShare = typeof minSimilarity === 'number' && minSimilarity >= 0.3 && minSimilarity <= 1;
  return { ...(isDistance && { maxDistance: maxDistance as number }), ...(isShare && { minSimilarity }) };
}

/** Searches for near-duplicates of a text, and shows the result. */
export async function showSimilar(search: SimilarSearch, searched: SearchedText, reach: Reach = {}): Promise<void> {
  // Show progress, because a search may take noticeable time in a large workspace or on a busy machine.
  const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Searching for near-duplicates…') };
  const found = await vscode.window.withProgress(progress, () => search.find(searched, reach));
  if (found === undefined) {
    return showNotification(vscode.l10n.t('There is no index to search. Run Scan Workspace first.'));
  }
  if (found.total === 0 && !found.hasNoWindow) return notifyNothingFound(search, searched, reach);
  await showFound(search, searched, reach, found);
}

/** A search of the workspace or of the organization. */
type PlaceSearch = Pick<SimilarSearch, 'find' | 'takesDistance'>;

/** Shows results. If there are none, or if the text is too short, shows a message. */
export async function showFound(
  search: PlaceSearch,
  searched: SearchedText,
  reach: Reach,
  found: FoundPlaces,
): Promise<void> {
  if (found.hasNoWindow)
    return showNotification(vscode.l10n.t('Select a few more lines; {0} is too short to search for.', searched.name));
  const tree = await referencesView();
  if (tree) await tree.setInput(inputOf(search, searched, reach, found));
  else await pick(found, titleOf(searched));
}

async function referencesView(): Promise<SymbolTree | undefined> {
  try {
    return await vscode.extensions.getExtension<SymbolTree>('vscode.references-view')?.activate();
  } catch {
    return undefined;
  }
}

/**
 * Shows a message that nothing was found, with a button for a wider search. Does not wait for the user, because the
 * notification may stay open.
 */
function notifyNothingFound(search: SimilarSearch, searched: SearchedText, reach: Reach): void {
  const nothing = vscode.l10n.t('No near-duplicates of {0}.', asNotification(searched.name));
  if (reach.maxDistance !== undefined) return showNotification(nothing);
  const wider = vscode.l10n.t('Search Less Strictly');
  void vscode.window.showInformationMessage(nothing, wider).then((button) => {
    if (button === wider) void showSimilar(search, searched, maxReach);
  });
}

/** @param foundPlaces  results to show first; if the view asks again, the search is repeated */
function inputOf(
  search: PlaceSearch,
  searched: SearchedText,
  reach: Reach,
  foundPlaces: FoundPlaces | undefined,
  location = locationOf(searched, foundPlaces),
): SymbolTreeInput {
  const title = titleOf(searched);
  return {
    contextValue: 'kindred-similar',
    title,
    location,
    async resolve() {
      const found = foundPlaces ?? (await search.find(searched, reach));
      foundPlaces = undefined;
      shown = { search, searched, reach };
      for (const place of found?.places ?? []) searchedFor.set(place, searched);
      return found && found.total > 0 ? modelOf(found) : undefined;
    },
    // Search for the same text; the new location does not matter.
    with: (moved) => inputOf(search, searched, reach, undefined, moved),
  };
}

/** Returns the location of the text's first word or, if it is from no document, of the first result. */
function locationOf({ document, range }: SearchedText, found: FoundPlaces | undefined): vscode.Location {
  const [first] = found?.places ?? [];
  if (range === undefined)
    return first
      ? new vscode.Location(first.uri, first.range)
      : new vscode.Location(document.uri, new vscode.Position(0, 0));
  const start = document.offsetAt(range.start) + document.getText(range).search(/\S|$/);
  return new vscode.Location(document.uri, new vscode.Range(document.positionAt(start), range.end));
}

function titleOf({ name }: SearchedText): string {
  return vscode.l10n.t('Near-Duplicates of {0}', name);
}

function modelOf({ places, total, leftOut }: FoundPlaces): SymbolTreeModel {
  const names = namesAmong(places.map(({ passage }) => passage.path));
  const step = (from: FoundPlace, by: number): FoundPlace =>
    places[(places.indexOf(from) + by + places.length) % places.length]!;
  return {
    message: messageOf(places.length, total, leftOut.documents),
    provider: {
      getTreeItem: (place) => itemOf(place, names.get(place.passage.path) ?? place.passage.path),
      getChildren: (place) => (place === undefined ? [...places] : []),
      getParent: () => undefined,
    },
    navigation: {
      nearest: (uri, position) =>
        places.find((place) => place.uri.toString() === uri.toString() && place.range.contains(position)) ??
        places.find((place) => place.uri.toString() === uri.toString()) ??
        places[0],
      next: (from) => step(from, 1),
      previous: (from) => step(from, -1),
      location: ({ uri, range }) => new vscode.Location(uri, range),
    },
    highlights: {
      getEditorHighlights: (_, uri) =>
        places.filter((place) => place.uri.toString() === uri.toString()).map(({ range }) => range),
    },
  };
}

function messageOf(shown: number, total: number, documents: number): string {
  const count = total === 1 ? vscode.l10n.t('1 near-duplicate') : vscode.l10n.t('{0} near-duplicates', quantity(total));
  const capped = shown < total ? vscode.l10n.t('{0}, the {1} most similar are shown', count, quantity(shown)) : count;
  return documents === 0
    ? capped
    : vscode.l10n.t('{0}; {1} more files resemble it and were not compared', capped, quantity(documents));
}

function itemOf(place: FoundPlace, name: string): vscode.TreeItem {
  const { passage, uri, range } = place;
  const item = new vscode.TreeItem(placeIn(name, passage));
  item.description = describe(place);
  item.tooltip = placeIn(passage.path, passage);
  item.resourceUri = uri;
  item.iconPath = vscode.ThemeIcon.File;
  // A passage in another repository may not be on this machine, so it cannot be compared.
  item.contextValue = isStoredPlace(uri) ? 'kindred-similar.elsewhere' : 'kindred-similar';
  item.accessibilityInformation = { label: `${name}, ${spokenRange(passage)}, ${describe(place)}` };
  item.command = {
    command: 'kindred.openFound',
    title: vscode.l10n.t('Open'),
    arguments: [new vscode.Location(uri, range)],
  };
  return item;
}

/** Describes a result: "94% · renamed · lines 3-12 of 40". Omits the lines if the entire text matches. */
function describe({ where, similarity, type, covered, textLines: { start, end } }: FoundPlace): string {
  const kinds = { exact: vscode.l10n.t('exact'), renamed: vscode.l10n.t('renamed'), near: vscode.l10n.t('edited') };
  const parts = [...(where === undefined ? [] : [where]), percent(similarity), kinds[type]];
  if (covered < 0.95) parts.push(vscode.l10n.t('lines {0}-{1} of the text', start, end));
  return parts.join(' · ');
}

/** Opens a result. If its notebook was closed after the search, loads the notebook to find the cell. */
export async function openFound(found: vscode.Location, options = { preserveFocus: true }): Promise<void> {
  await showLocation(await inCell(found), options);
}

/** Compares a result with the text that was searched for. Returns false if the value is not a result. */
export async function compareWithSearched(findings: FindingsModel, argument: unknown): Promise<boolean> {
  const place = argument as FoundPlace;
  const searched = isObject(argument) ? searchedFor.get(place) : undefined;
  if (searched === undefined) return false;
  await compareFound(findings, { searched, found: place, note: describe(place) });
  return true;
}

/** Asks for other limits, and repeats the search whose results are in the view. Returns false if there is none. */
export async function searchAgain(): Promise<boolean> {
  if (shown === undefined) return false;
  const { search, searched, reach } = shown;
  const items: readonly (vscode.QuickPickItem & { readonly reach: Reach })[] = [
    { label: vscode.l10n.t('As in the Settings'), reach: {} },
    ...Array.from({ length: search.takesDistance ? maxBits + 1 : 0 }, (_, k) => ({
      label: `k = ${k}`,
      reach: { maxDistance: k },
    })),
    {
      label: vscode.l10n.t('Less Strictly'),
      description: search.takesDistance ? reachText(maxReach) : percent(maxReach.minSimilarity),
      reach: maxReach,
    },
  ];
  const reachChoice = await vscode.window.showQuickPick(
    items.map((item) => (isSameReach(item.reach, reach) ? { ...item, detail: vscode.l10n.t('current value') } : item)),
    {
      title: titleOf(searched),
      placeHolder: vscode.l10n.t('Select how many of the 64 bits of fingerprints may differ'),
    },
  );
  if (reachChoice === undefined) return true;
  const found = await search.find(searched, reachChoice.reach);
  // The search has already reported an error.
  if (found === undefined) return true;
  if (found.total > 0) await showFound(search, searched, reachChoice.reach, found);
  else showNotification(vscode.l10n.t('No near-duplicates of {0}.', asNotification(searched.name)));
  return true;
}

/** Maximum number of differing bits that the user can enter; the same as in the settings. */
const maxBits = 16;

function reachText({ maxDistance, minSimilarity }: Required<Reach>): string {
  return `k = ${maxDistance}, ${percent(minSimilarity)}`;
}

function isSameReach(left: Reach, right: Reach): boolean {
  return left.maxDistance === right.maxDistance && left.minSimilarity === right.minSimilarity;
}

async function pick({ places }: FoundPlaces, title: string): Promise<void> {
  const items = places.map((place) => ({
    label: placeIn(baseName(place.passage.path), place.passage),
    description: describe(place),
    detail: place.passage.path,
    place,
  }));
  const item = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  if (item) await openFound(new vscode.Location(item.place.uri, item.place.range), { preserveFocus: false });
}
