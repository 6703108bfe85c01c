/** Replaces terminal control characters in untrusted text, such as names and contents of files. */

/** Replaces control characters in a single line. */
export function printable(text: string): string {
  return text.replaceAll('\t', '  ').replace(steering, '·');
}

/** Replaces control characters in a text with several lines, such as a report, and characters not allowed in XML. */
export function printableLines(text: string): string {
  return text.replace(steeringInLines, '·');
}

/** Formats a value as JSON on one line, with terminal control characters escaped. */
export function printableJson(value: unknown, indentation?: number): string {
  const json = JSON.stringify(value, undefined, indentation);
  return json.replace(steeringInJson, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Control characters and bidirectional formatting characters. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const steering = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The same except tabs and line breaks, plus characters not allowed in XML 1.0. */
const steeringInLines =
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  /(?!\t|\r?\n)[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff\p{Surrogate}]/gu;

/** The subset that JSON.stringify does not escape. */
const steeringInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
