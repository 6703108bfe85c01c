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

/**
 * Parses "500k", "2mb", "1.5 MB", or "1048576" to an integer number of bytes. Returns `undefined` if the text is not a
 * size.
 */
export function parseFileSize(text: string): number | undefined {
  const parts = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text);
  const unit = units[(parts?.[2] ?? '?').toLowerCase()];
  return unit === undefined ? undefined : Math.round(Number(parts?.[1]) * unit);
}

/** Formats a size as "312 MB", "1.5 KB", or "12 B". A number below 10 has one decimal place, unless it is zero. */
export function formatFileSize(sizeBytes: number): string {
  let value = sizeBytes;
  let unit = 'B';
  for (const larger of ['KB', 'MB', 'GB']) {
    if (value < 1024) break;
    value /= 1024;
    unit = larger;
  }
  // Number() removes a zero after the decimal point, for "1 MB" instead of "1.0 MB".
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}
