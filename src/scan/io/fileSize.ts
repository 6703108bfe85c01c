/** Formats and parses file sizes. Units are powers of 1024: 1 MB is 1,048,576 bytes. */

const units: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1024,
  kb: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
};

/** Matches a size: a number with an optional unit. */
export const fileSizePattern = /^\s*(\d+(?:\.\d+)?)\s*([bB]|[kKmMgG][bB]?)?\s*$/;

/** Parses "500k", "2mb", "1.5 MB", or "1048576" to a number of bytes; `undefined` if the text is not a size. */
export function parseFileSize(text: string): number | undefined {
  const [, number, unit = ''] = fileSizePattern.exec(text) ?? [];
  return number === undefined ? undefined : Math.round(Number(number) * units[unit.toLowerCase()]!);
}

/** Formats a size as "312 MB", "1.5 KB", or "12 B". A number below 10 has one decimal place, unless it is zero. */
export function formatFileSize(sizeBytes: number): string {
  const { value, unit } = inLargestUnit(sizeBytes);
  return formatted(value, value < 10 ? 1 : 0, unit);
}

/**
 * Formats a size and the limit that it exceeds. If rounding makes both equal, the size gets more decimal places:
 * "256.02 MB" and "256 MB". If two are not enough, both are in bytes.
 */
export function formatExceeded(sizeBytes: number, limitBytes: number): readonly [size: string, limit: string] {
  const limit = formatFileSize(limitBytes);
  const { value, unit } = inLargestUnit(sizeBytes);
  const sizes = [formatFileSize(sizeBytes), formatted(value, 1, unit), formatted(value, 2, unit)];
  const size = sizes.find((it) => parseFileSize(it)! > parseFileSize(limit)!);
  return size === undefined ? [`${sizeBytes} B`, `${limitBytes} B`] : [size, limit];
}

function inLargestUnit(sizeBytes: number): { readonly value: number; readonly unit: string } {
  let value = sizeBytes;
  let unit = 'B';
  for (const larger of ['KB', 'MB', 'GB']) {
    if (value < 1024) break;
    value /= 1024;
    unit = larger;
  }
  return { value, unit };
}

function formatted(value: number, decimals: number, unit: string): string {
  // Number() removes zeros after the decimal point, for "1 MB" instead of "1.0 MB".
  return `${Number(value.toFixed(decimals))} ${unit}`;
}
