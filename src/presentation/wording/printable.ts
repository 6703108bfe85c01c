/**
 * Replaces control characters, which could affect a terminal, in untrusted text such as file names and file contents.
 */

/** Replaces control characters in a text of one line. */
export function printable(text: string): string {
  return text.replaceAll('\t', '  ').replace(steering, '·');
}

/**
 * Replaces control characters in a text of several lines, such as a report. Also replaces characters that XML does not
 * allow.
 */
export function printableLines(text: string): string {
  return text.replace(steeringInLines, '·');
}

/** Returns a value as JSON in which control characters are escaped. Without `indentation`, it is a single line. */
export function printableJson(value: unknown, indentation?: number): string {
  const json = JSON.stringify(value, undefined, indentation);
  return json.replace(steeringInJson, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Control characters and bidirectional formatting characters. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const steering = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The same characters, except for tabs and line breaks, and characters that XML 1.0 does not allow. */
const steeringInLines =
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  /(?!\t|\r?\n)[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff\p{Surrogate}]/gu;

/** The control characters that JSON.stringify does not escape. */
const steeringInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
