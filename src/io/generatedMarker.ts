/**
 * Reads from the head of a file whether a program made it: from the comment that stands above all code, or an annotation
 * of the first type. Words further down speak of something else, of a file that this program writes for example.
 *
 * docs/decisions/0004-generated-markers.md says which wordings count, and why not all.
 */

/** Markers stand at the top, at most below a licence; the longest common ones (GPL, Apache) take about 1 KB. */
const headBytes = 2_048;

/** Whether the head of a text says that a program made it. */
export function saysGenerated(bytes: Uint8Array): boolean {
  const length = Math.min(bytes.length, headBytes);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
  // This search is much cheaper than what follows, and almost always the end of it.
  if (!/enerated|ENERATED|DO NOT EDIT|GNU Bison/.test(head)) return false;
  const { comments, annotations } = readHead(head.split(/\r\n|\r|\n/));
  return comments.some(commentSaysGenerated) || annotations.some((line) => generatedAnnotation.test(line));
}

// ---------------------------------------------------------------------------------------------------------------------
// The head

interface Head {
  /** The text of each comment, by lines, without comment signs. */
  readonly comments: readonly (readonly string[])[];
  readonly annotations: readonly string[];
}

/** Comments in several lines, by the sign that opens them and the one that closes them. */
const blockSigns: readonly (readonly [open: RegExp, close: string])[] = [
  [/^\/\*/, '*/'],
  [/^<!--/, '-->'],
  [/^[rRuUbB]{0,2}"""/, '"""'],
  [/^[rRuUbB]{0,2}'''/, "'''"],
  [/^--\[\[/, ']]'],
  [/^\{-/, '-}'],
  [/^\(\*/, '*)'],
  [/^=begin\b/, '=end'],
];

const lineSign = /^(?:\/\/|#|--|;|%|'|!|REM\b|dnl\b)/i;

/** What may stand above a marker in any number, beside comments: directives, imports, the names of packages, prologues. */
const preamble =
  /^(?:#!|#\s*(?:include|if|ifdef|ifndef|define|undef|endif|else|elif|pragma|import|nullable|region)\b|(?:import|package|using|use|from|include|require|module|namespace|library|part|syntax|option)\b|@charset\b|<\?|<!doctype\b|["']use \w+["']|declare\s*\(|extern "C"|Object\.defineProperty\(exports|exports\.|(?:const|var|let) [\w${}, ]+ = require\()/i;

/** An annotation (Java, Kotlin, Scala) or an attribute (C#). */
const annotation = /^(?:@[A-Za-z]|\[\w)/;

/** A line without any sign of code: what stands first in a text without comments. */
const plainLine = /^[^=(){};"'`\\]*$/;

/** Splits the lines above all code into comments and annotations. */
function readHead(lines: readonly string[]): Head {
  const comments: string[][] = [];
  const annotations: string[] = [];
  let comment: string[] | undefined;
  let close: string | undefined;
  let openImport = false;
  const say = (text: string): void => {
    if (comment === undefined) comments.push((comment = []));
    comment.push(withoutSigns(text));
  };
  for (const line of lines) {
    const text = line.trim();
    if (close !== undefined) {
      say(text);
      if (text.includes(close)) close = comment = undefined;
      continue;
    }
    if (openImport) {
      openImport = !/[)}]/.test(text);
      continue;
    }
    const block = blockSigns.find(([open]) => open.test(text));
    if (block) {
      comment = undefined;
      say(text);
      if (text.indexOf(block[1], 3) >= 0 || text.endsWith(block[1] + block[1])) comment = undefined;
      else close = block[1];
    } else if (preamble.test(text)) {
      comment = undefined;
      openImport = /[({][^)}]*$/.test(text) && /^(?:import|use|from|const|var|let)\b/.test(text);
    } else if (lineSign.test(text)) {
      say(text);
    } else if (text === '') {
      comment = undefined;
    } else if (annotation.test(text)) {
      comment = undefined;
      annotations.push(text);
    } else if (plainLine.test(text) && annotations.length === 0 && comments.length < 2) {
      say(text);
      // Only the first paragraph of a text without comments is its head.
      if (comments.length > 1) break;
    } else {
      break;
    }
  }
  return { comments, annotations };
}

function withoutSigns(text: string): string {
  return text
    .replace(
      /^(?:\/\*+|\*+\/?|\/\/+!?|#+|--+(?:\[\[)?|<!--+|;+|%+|"""|'''|[!'(*{]|\W?=begin|REM\b|dnl\b)[\s*#/=-]*/i,
      '',
    )
    .replace(/\s*(?:\*+\/|--+>|"""|'''|\*\)|-\}|[*#/=-]{2,})$/, '')
    .trim();
}

// ---------------------------------------------------------------------------------------------------------------------
// The markers

/**
 * How a sentence begins that says so: markers that tools write for other tools, the fixed sentences of the common ones,
 * and the first words of well-known generators.
 *
 * A sentence of somebody's own ("mechanically generated: do not edit") is no such marker: files that bear one are often
 * kept, edited and copied from like any other, and in OpenJDK leaving them out would hide one copy in twelve.
 */
const sentences: readonly RegExp[] = [
  // Meta's convention, also of Rust's tools.
  /^@generated\b/,
  /^This file is (?:auto|automatically )@generated\b/i,
  // Go: "Code generated by … DO NOT EDIT." (go help generate)
  /^(?:Code|CODE) (?:generated|GENERATED) (?:by|from|with|BY|FROM|WITH)\b/,
  /^(?:(?:auto|machine|automatically)[- ]?)?generated\b.*\bDO NOT EDIT\b/i,
  // .NET
  /^<auto-?generated\b/i,
  // Said of this file itself; a class that "is generated when it is first used" speaks of what happens at run time.
  /^this (?:file|code|class|source|header|module|document) (?:is|was|has been) (?:automatically |machine[- ]|auto-?)?generated\b(?!\/|\s+(?:when|whenever|if|for each|for every|per|on demand|on the fly|dynamically|at (?:run|link|load))\b)/i,
  /^this is an? (?:automatically |machine[- ]|auto-?)?generated (?:file|code|class|source|header|module|document)\b/i,
  /^(?:auto|automatically |machine[- ])-?generated (?:by|from|file|code)\b/i,
  // Compilers of interfaces and grammars.
  /^(?:generated (?:by|from)\b.*\b(?:protocol buffer compiler|gRPC|ANTLR|Cython|Thrift|FlatBuffers|Autoconf|automake)\b|A Bison parser, made by GNU Bison\b|A lexical scanner generated by flex\b)/i,
];

/** Tells not to edit the whole, and not a list, a line or what is below. */
const doNotEdit = /^DO NOT EDIT(?:$|\s*[.!,;:()—–-]|\s+(?:THIS FILE|IT|MANUALLY|BY HAND|DIRECTLY)\b)/i;

/** "Do not edit" alone may have other reasons; the comment has to say where the file comes from, or that it is about the file. */
const origin =
  /generat|\b(?:created|made|built|produced|written|derived|converted) (?:by|from|with|using)\b|\bdo not edit this file\b/i;

const generatedAnnotation =
  /^(?:@(?:\w+\.)*Generated\b|\[(?:assembly:\s*)?(?:global::)?(?:\w+\.)*GeneratedCode(?:Attribute)?\()/;

function commentSaysGenerated(lines: readonly string[]): boolean {
  const whole = lines.join(' ');
  let before = '';
  for (const line of lines) {
    for (const sentence of sentencesOf(line, before)) {
      if (sentences.some((marker) => marker.test(sentence))) return true;
      if (sentence.startsWith('DO NOT EDIT') && doNotEdit.test(sentence) && origin.test(whole)) return true;
    }
    before = line;
  }
  return false;
}

/**
 * The rest of a line from each place on where a sentence may begin. A line that goes on with a small letter continues the
 * one before it: "these were added by hand rather than / auto-generated by mkerrors".
 */
function* sentencesOf(line: string, before: string): Generator<string> {
  if (!/^[a-z]/.test(line) || before === '' || /[.!?:;>)]$/.test(before)) yield line;
  for (const found of line.matchAll(/[.!?:;,>)\]*—–-]+\s*(?=[A-Z@<]|do not)/g)) {
    if (found.index > 0) yield line.slice(found.index + found[0].length);
    else yield line.slice(found[0].length);
  }
}
