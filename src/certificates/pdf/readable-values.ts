const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** Formats an ISO 8601 time to the second, unambiguously: 21 November 2026, 04:40:50 UTC. */
export function readableTime(iso: string): string {
  const time = new Date(iso);
  const clock = time.toISOString().slice(11, 19);
  const month = months[time.getUTCMonth()] ?? '';
  return `${time.getUTCDate()} ${month} ${time.getUTCFullYear()}, ${clock} UTC`;
}

/** Formats an integer with commas between thousands, independent of locales, which could change. */
export function readableNumber(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a size with the exact number of bytes: 1.24 MB (1,240,113 bytes). */
export function readableSize(bytes: number): string {
  const exact = `${readableNumber(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
  if (bytes < 1_000) return exact;
  const power = Math.min(4, Math.floor((String(bytes).length - 1) / 3));
  const unit = ['', 'kB', 'MB', 'GB', 'TB'][power] ?? '';
  return `${Number((bytes / 1_000 ** power).toPrecision(3))} ${unit} (${exact})`;
}
