/** Formats numbers in the language of the page. */

/** Formats a number with at most two decimals: "12,034". */
export function quantity(value: number): string {
  return value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 2 });
}

/** Writes a file size, such as "1.5 MB", in the language of the page: "1,5 MB". */
export function localSize(size: string): string {
  const [value, unit] = size.split(' ');
  return `${quantity(Number(value))} ${unit}`;
}

/** Formats a number with its sign: "+3.5", "−0.5", "0". */
export function signed(value: number): string {
  const digits = quantity(Math.abs(value));
  return digits === '0' ? digits : `${value > 0 ? '+' : '−'}${digits}`;
}
