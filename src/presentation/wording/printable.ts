/** Replaces control characters in untrusted text, such as file names and contents. They could affect the terminal. */

/** Replaces control characters in a text of one line. */
export function printable(text: string): string {
  return text.replaceAll('\t', '  ').replace(steering, '·');
}

/** Replaces control characters, and characters that XML does not allow, in a text of several lines. */
export function printableLines(text: string): string {
  return text.replace(steeringInLines, '·');
}

/** Serializes a value as JSON, with control characters escaped. Without `indentation`, the result is a single line. */
export function printableJson(value: unknown, indentation?: number): string {
  const json = JSON.stringify(value, undefined, indentation);
  return json.replace(steeringInJson, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Serializes a JSON list with each item on its own line, so that reports can be compared line by line. */
export function* printableList(items: readonly unknown[], indentation = ''): Generator<string> {
  const inner = indentation && `${indentation}  `;
  yield '[';
  for (const [place, item] of items.entries()) yield `${place > 0 ? ',' : ''}\n${inner}${printableJson(item)}`;
  yield items.length > 0 ? `\n${indentation}]` : ']';
}

/** Matches control characters and bidirectional formatting characters. */
// eslint-disable-next-line no-control-regex -- control characters are what this pattern must match
const steering = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Matches the same characters except for tabs and line breaks; also matches characters that XML 1.0 does not allow. */
const steeringInLines =
  // eslint-disable-next-line no-control-regex -- control characters are what this pattern must match
  /(?!\t|\r?\n)[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff\p{Surrogate}]/gu;

/** Matches the control characters that JSON.stringify does not escape. */
const steeringInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
