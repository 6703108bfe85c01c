/** Removes what steers a terminal or turns the direction of a text: names and contents of files may hold anything. */

/** The text without what would steer a terminal. */
export function printable(text: string): string {
  return text.replaceAll('\t', '  ').replace(steering, '·');
}

/** Returns a text of several lines, such as a report, without what would steer a terminal or is not allowed in XML. */
export function printableLines(text: string): string {
  return text.replace(steeringInLines, '·');
}

/** A value as JSON, on one line; what would steer a terminal stands there as it does for those below U+0020 in any JSON. */
export function printableJson(value: unknown, indentation?: number): string {
  const json = JSON.stringify(value, undefined, indentation);
  return json.replace(steeringInJson, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Controls, and signs that turn the direction of what follows. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const steering = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The same except for tabs and ends of lines, and what XML 1.0 does not allow. */
const steeringInLines =
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  /(?!\t|\r?\n)[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff\p{Surrogate}]/gu;

/** Of these, what JSON leaves as it is. */
const steeringInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
