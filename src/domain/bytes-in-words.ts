const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for people, such as `1.2 MB`. */
export function bytesInWords(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  if (bytes === 1) return '1 byte';
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
