/**
 * An indexed document as it lies in the kernel's memory: what there is of it, and where. Its arrays lie one behind the
 * other, so that a document can be stored as its shape and one stretch of bytes, and be put anywhere again.
 */
import { lineBytes } from '../../kernel/documents/placesLayout.ts';
import { sketchBytes } from './fileSketch.ts';

/** What of a document does not depend on where it lies. Plain data: it is stored as JSON. */
export interface DocumentShape {
  /** Bytes of the text. */
  readonly sizeBytes: number;
  readonly tokenCount: number;
  /** Bytes of what says where tokens stand. */
  readonly placesBytes: number;
  /** Lines on which a token starts. */
  readonly lineCount: number;
  /** Lines of the text, with or without tokens. */
  readonly totalLines: number;
  /** The column after the last character of the last line, from 1, in UTF-16 units. */
  readonly endColumn: number;
  /** Each byte of such a text is a unit. */
  readonly isAscii: boolean;
  readonly prose: boolean;
  /** Whether separators part it into texts of their own, which are not read one after the other. */
  readonly apart: boolean;
  /** A number for the document's language: inverse document frequency is counted by language. 0 to 255. */
  readonly languageHash: number;
  /** Whether it is in a language of data, or is a table or a recorded output by how it looks. */
  readonly data: boolean;
  readonly windowCount: number;
  /** Whether it has fingerprints of the renamed view. */
  readonly hasRenamed: boolean;
  /** Not of a document that is too short to be compared as a whole. */
  readonly hasSketch: boolean;
  /** Hashes in the sample of the sketch. */
  readonly sketchSample: number;
  /** The words of its comments as a document of prose, with the same text; undefined when none are read. */
  readonly comments: DocumentShape | undefined;
  /** The code that it quotes, in fences or examples, as a document with the same text; undefined when there is none. */
  readonly quoted: DocumentShape | undefined;
}

type ShapeField = Exclude<keyof DocumentShape, 'comments' | 'quoted'>;

/** The fields of a shape but for its parts: records are copied field by field, since object spreads are slow. */
const shapeFields = Object.keys({
  sizeBytes: true,
  tokenCount: true,
  placesBytes: true,
  lineCount: true,
  totalLines: true,
  endColumn: true,
  isAscii: true,
  prose: true,
  apart: true,
  languageHash: true,
  data: true,
  windowCount: true,
  hasRenamed: true,
  hasSketch: true,
  sketchSample: true,
} satisfies Record<ShapeField, true>) as ShapeField[];

/**
 * A document, and the addresses of its arrays in the kernel's memory. Plain numbers, so that threads can pass it on.
 *
 *   tokens   u32 × tokenCount
 *   places   where each token stands, packed (placesLayout.ts): `placesBytes`
 *   lines    records × lineCount (placesLayout.ts), for lines on which a token starts
 *   written, renamed                u64 × windowCount: fingerprints of the two views, 0 where a window does not seed
 *   windows  u32 every `windowStride` bytes × windowCount: the first token of each window
 *   sketch                          the sketch of the whole document (fileSketch.ts): `sketchBytes(sketchSample)` bytes
 *   unitless                        a bit for each byte of the text, the lowest first: 1 where it adds no UTF-16 unit
 */
export interface DocumentIndex extends DocumentShape {
  readonly tokens: number;
  readonly places: number;
  readonly lines: number;
  readonly windows: number;
  readonly windowStride: number;
  readonly written: number;
  /** 0 when the renamed view is off. */
  readonly renamed: number;
  /** 0 when there is none. */
  readonly sketch: number;
  /** 0 when the text is ASCII; parts have that of their document. */
  readonly unitless: number;
  readonly comments: DocumentIndex | undefined;
  readonly quoted: DocumentIndex | undefined;
}

/** The shape of a document; its arrays are at `tokens`. */
export function shapeOf(index: DocumentIndex): DocumentShape {
  const shape = copyOf(index);
  shape.comments = index.comments && shapeOf(index.comments);
  shape.quoted = index.quoted && shapeOf(index.quoted);
  return shape;
}

/** The bytes of all arrays of a document, which lie one behind the other, those of its parts last: a multiple of 8. */
export function documentBytes(shape: DocumentShape): number {
  const { comments, quoted } = shape;
  const ofParts = (comments ? ownBytes(comments, 0) : 0) + (quoted ? ownBytes(quoted, 0) : 0);
  return ownBytes(shape, unitlessBytes(shape)) + ofParts;
}

/** The document whose arrays lie at an address, `documentBytes` of them. */
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

/** Bytes of the array `unitless`. */
export function unitlessBytes({ sizeBytes, isAscii }: DocumentShape): number {
  return isAscii ? 0 : (sizeBytes + 7) >>> 3;
}

/** A shape that is not finished. */
export type ShapeInMaking = Writable<DocumentShape>;

type Writable<Type> = { -readonly [Field in keyof Type]: Type[Field] };

function copyOf(shape: DocumentShape): Writable<DocumentShape> {
  const copy: Partial<Record<ShapeField, number | boolean>> & { comments: undefined; quoted: undefined } = {
    comments: undefined,
    quoted: undefined,
  };
  for (const field of shapeFields) copy[field] = shape[field];
  return copy as Writable<DocumentShape>;
}

/** Bytes of all arrays that are not those of its parts. */
function ownBytes(shape: DocumentShape, unitless: number): number {
  const { tokenCount, placesBytes, lineCount, windowCount, hasRenamed, prose, hasSketch, sketchSample } = shape;
  return (
    align8(tokenCount * 4) +
    align8(placesBytes) +
    lineCount * lineBytes +
    windowCount * (hasRenamed ? 16 : 8) +
    (prose ? align8(windowCount * 4) : 0) +
    (hasSketch ? align8(sketchBytes(sketchSample)) : 0) +
    align8(unitless)
  );
}

// In the order of `ownBytes`.
function placeArrays(shape: DocumentShape, tokens: number, unitless: number): Writable<DocumentIndex> {
  const { tokenCount, placesBytes, lineCount, windowCount, hasRenamed, prose, hasSketch } = shape;
  const places = tokens + align8(tokenCount * 4);
  const lines = places + align8(placesBytes);
  const written = lines + lineCount * lineBytes;
  const renamed = written + windowCount * 8;
  const windowsOfProse = renamed + (hasRenamed ? windowCount * 8 : 0);
  const index = copyOf(shape) as Writable<DocumentIndex>;
  index.tokens = tokens;
  index.places = places;
  index.lines = lines;
  index.written = written;
  index.renamed = hasRenamed ? renamed : 0;
  // Windows of code begin with the lines; those of prose are an array of their own.
  index.windows = prose ? windowsOfProse : lines;
  index.windowStride = prose ? 4 : lineBytes;
  index.sketch = hasSketch ? windowsOfProse + (prose ? align8(windowCount * 4) : 0) : 0;
  index.unitless = unitless;
  return index;
}

/** The next multiple of 8: arrays of documents begin at one. */
export function align8(size: number): number {
  return (size + 7) & ~7;
}
