/**
 * Layout of an indexed document in the kernel's memory. Its arrays are contiguous, so a document can be stored as its
 * shape plus one range of bytes, and can be loaded at any address.
 */
import { lineBytes } from '../../kernel/documents/placesLayout.ts';
import { unitBytes } from '../../kernel/documents/unitLayout.ts';
import { sketchBytes } from './fileSketch.ts';

/** The properties of a document without the addresses. Plain data, which is stored as JSON. */
export interface DocumentShape {
  readonly sizeBytes: number;
  readonly tokenCount: number;
  /** Size of the packed token positions in bytes. */
  readonly placesBytes: number;
  /** Number of lines on which a token starts. */
  readonly lineCount: number;
  /** Number of lines of the text, with or without tokens. */
  readonly totalLines: number;
  /** Column after the last character of the last line, from 1, in UTF-16 units. */
  readonly endColumn: number;
  /** True if each byte of the text is one UTF-16 unit. */
  readonly isAscii: boolean;
  readonly prose: boolean;
  /** True if the document consists of independent texts, such as the comments of a file, with separators. */
  readonly apart: boolean;
  /** Hash of the language's id, 0 to 255. Inverse document frequency is counted per language. */
  readonly languageHash: number;
  /** True if the document counts as data: because of its language, or because it looks like a table or output. */
  readonly data: boolean;
  /** True if the text is the output of a compiler or bundler. */
  readonly generated: boolean;
  readonly windowCount: number;
  /** True if the document has fingerprints of the renamed view, in which only the kind of a name counts. */
  readonly hasRenamed: boolean;
  /** True if the document is long enough to be compared as a whole. */
  readonly hasSketch: boolean;
  /** Number of hashes in the sketch's sample. */
  readonly sketchSample: number;
  readonly unitCount: number;
  /** A prose document of the words in this document's comments; `undefined` if there are none, or none are read. */
  readonly comments: DocumentShape | undefined;
  /** A document that consists of the code quoted in fences or examples. `undefined` if there is none. */
  readonly quoted: DocumentShape | undefined;
}

/** Upper limit of every number in a shape, because addresses of the kernel's memory have 32 bits. */
const maxOfShape = 2 ** 32 - 1;

/** Returns true if a value from an untrusted source, such as a cache file, may be the shape of a document. */
export function isPossibleShape(value: unknown): value is DocumentShape {
  if (typeof value !== 'object' || value === null) return false;
  const shape = value as DocumentShape;
  const { tokenCount, lineCount, windowCount, unitCount, totalLines, languageHash, comments, quoted } = shape;
  return (
    shapeFields.every((field) => typeof shape[field] === shapeTypes[field]) &&
    shapeFields.every((field) => typeof shape[field] !== 'number' || isSize(shape[field])) &&
    Math.max(lineCount, windowCount, unitCount) <= tokenCount &&
    lineCount <= totalLines &&
    languageHash < 256 &&
    [comments, quoted].every((part) => part === undefined || (isPossibleShape(part) && !part.comments && !part.quoted))
  );
}

function isSize(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= maxOfShape;
}

type ShapeField = Exclude<keyof DocumentShape, 'comments' | 'quoted'>;

/** Types of the fields of a shape, except for `comments` and `quoted`. */
const shapeTypes = {
  sizeBytes: 'number',
  tokenCount: 'number',
  placesBytes: 'number',
  lineCount: 'number',
  totalLines: 'number',
  endColumn: 'number',
  isAscii: 'boolean',
  prose: 'boolean',
  apart: 'boolean',
  languageHash: 'number',
  data: 'boolean',
  generated: 'boolean',
  windowCount: 'number',
  hasRenamed: 'boolean',
  hasSketch: 'boolean',
  sketchSample: 'number',
  unitCount: 'number',
} as const satisfies Record<ShapeField, 'number' | 'boolean'>;

/** Names of the fields. Copying fields one by one is faster than an object spread. */
const shapeFields = Object.keys(shapeTypes) as ShapeField[];

/**
 * A document and the addresses of its arrays in the kernel's memory. It contains only numbers, so it can be sent
 * between threads.
 *
 *   tokens   u32 × tokenCount
 *   places   the position of each token, packed (places.ts): `placesBytes`
 *   lines    records × lineCount (places.ts), for lines on which a token starts
 *   written, renamed                u64 × windowCount: fingerprints of the two views, 0 where a window does not seed
 *   windows  u32 every `windowStride` bytes × windowCount: the first token of each window
 *   sketch                          the sketch of the whole document (fileSketch.ts): `sketchBytes(sketchSample)` bytes
 *   units    records × unitCount (src/core/kernel/documents/unit.ts): functions, classes, and blocks
 *   unitless                        a bit for each byte of the text, the lowest first: 1 where it adds no UTF-16 unit
 */
export interface DocumentIndex extends DocumentShape {
  readonly tokens: number;
  readonly places: number;
  readonly lines: number;
  readonly windows: number;
  readonly windowStride: number;
  readonly written: number;
  /** Address of the fingerprints of the renamed view; 0 if that view is off. */
  readonly renamed: number;
  /** Address of the sketch; 0 if there is none. */
  readonly sketch: number;
  readonly units: number;
  /**
   * Address of a bit set of the bytes that add no UTF-16 unit; 0 if the text is ASCII. The documents for comments and
   * quoted code use the bit set of the text that contains them.
   */
  readonly unitless: number;
  readonly comments: DocumentIndex | undefined;
  readonly quoted: DocumentIndex | undefined;
}

export function shapeOf(index: DocumentIndex): DocumentShape {
  const shape = copyOf(index);
  shape.comments = index.comments && shapeOf(index.comments);
  shape.quoted = index.quoted && shapeOf(index.quoted);
  return shape;
}

/**
 * Returns the total size of a document's arrays in bytes, a multiple of 8. The arrays are contiguous; those of its
 * comments and quoted code come last.
 */
export function documentBytes(shape: DocumentShape): number {
  const { comments, quoted } = shape;
  const ofParts = (comments ? ownBytes(comments, 0) : 0) + (quoted ? ownBytes(quoted, 0) : 0);
  return ownBytes(shape, unitlessBytes(shape)) + ofParts;
}

/** Returns a document of the given shape, whose arrays begin at an address. */
export function placeDocument(shape: DocumentShape, address: number): DocumentIndex {
  const index = placeArrays(shape, address, shape.isAscii ? 0 : address + ownBytes(shape, 0));
  const { comments, quoted } = shape;
  let end = address + ownBytes(shape, unitlessBytes(shape));
  if (comments) {
    index.comments = placeArrays(comments, end, index.unitless);
    end += ownBytes(comments, 0);
  }
  if (quoted) index.quoted = placeArrays(quoted, end, index.unitless);
  return index;
}

/** Changes the addresses of a document whose arrays now begin at another address. The sketch of its text stays. */
export function moveDocument(index: DocumentIndex, address: number): void {
  const { sketch, comments, quoted } = index;
  const moved = placeDocument(index, address);
  if (comments) Object.assign(comments, moved.comments);
  if (quoted) Object.assign(quoted, moved.quoted);
  Object.assign(index, moved, { sketch, comments, quoted });
}

/** Returns the size of the array `unitless` in bytes. */
export function unitlessBytes({ sizeBytes, isAscii }: DocumentShape): number {
  return isAscii ? 0 : (sizeBytes + 7) >>> 3;
}

export type WritableShape = Writable<DocumentShape>;

type Writable<Type> = { -readonly [Field in keyof Type]: Type[Field] };

function copyOf(shape: DocumentShape): Writable<DocumentShape> {
  const copy: Partial<Record<ShapeField, number | boolean>> & { comments: undefined; quoted: undefined } = {
    comments: undefined,
    quoted: undefined,
  };
  for (const field of shapeFields) copy[field] = shape[field];
  return copy as Writable<DocumentShape>;
}

/** Returns the size in bytes of all arrays except those of comments and quoted code. */
function ownBytes(shape: DocumentShape, unitless: number): number {
  const { tokenCount, placesBytes, lineCount, windowCount, hasRenamed, prose, hasSketch, sketchSample, unitCount } =
    shape;
  return (
    align8(tokenCount * 4) +
    align8(placesBytes) +
    lineCount * lineBytes +
    windowCount * (hasRenamed ? 16 : 8) +
    (prose ? align8(windowCount * 4) : 0) +
    (hasSketch ? align8(sketchBytes(sketchSample)) : 0) +
    unitCount * unitBytes +
    align8(unitless)
  );
}

// Computes the address of each array. The arrays are in the order of `ownBytes`.
function placeArrays(shape: DocumentShape, tokens: number, unitless: number): Writable<DocumentIndex> {
  const { sizeBytes, tokenCount, placesBytes, lineCount, totalLines, endColumn, windowCount, unitCount } = shape;
  const { isAscii, prose, apart, languageHash, data, generated, hasRenamed, hasSketch, sketchSample } = shape;
  const places = tokens + align8(tokenCount * 4);
  const lines = places + align8(placesBytes);
  const written = lines + lineCount * lineBytes;
  const renamed = written + windowCount * 8;
  const windowsOfProse = renamed + (hasRenamed ? windowCount * 8 : 0);
  const sketch = windowsOfProse + (prose ? align8(windowCount * 4) : 0);
  // A single literal takes a fraction of the time of a loop over the fields.
  return {
    sizeBytes,
    tokenCount,
    placesBytes,
    lineCount,
    totalLines,
    endColumn,
    isAscii,
    prose,
    apart,
    languageHash,
    data,
    generated,
    windowCount,
    hasRenamed,
    hasSketch,
    sketchSample,
    unitCount,
    comments: undefined,
    quoted: undefined,
    tokens,
    places,
    lines,
    written,
    renamed: hasRenamed ? renamed : 0,
    // Windows of code begin at lines, so the first word of a line record is also the first token of a window. Windows
    // of prose have an array of their own.
    windows: prose ? windowsOfProse : lines,
    windowStride: prose ? 4 : lineBytes,
    sketch: hasSketch ? sketch : 0,
    units: sketch + (hasSketch ? align8(sketchBytes(sketchSample)) : 0),
    unitless,
  };
}

/** Returns the next multiple of 8. Arrays of documents are aligned to 8 bytes. */
export function align8(size: number): number {
  return (size + 7) & ~7;
}
