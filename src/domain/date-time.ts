const form =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)$/;

/**
 * Reads an ISO 8601 date-time with time zone and returns it as `YYYY-MM-DDTHH:MM:SS.sssZ`. An
 * offset may also be `±HHMM` or `±HH`. Returns null for any other text, for days that no month has,
 * and for times outside of the years 0–9999.
 */
export function canonicalDateTime(text: string): string | null {
  const parts = form.exec(text);
  if (parts === null) return null;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  // Date.parse accepts 30 February as 2 March.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const ms = Date.parse(text.replace(/([+-]\d\d):?(\d\d)?$/, withMinutes));
  if (Number.isNaN(ms)) return null;
  const canonical = new Date(ms).toISOString();
  return canonical.length === 'YYYY-MM-DDTHH:MM:SS.sssZ'.length ? canonical : null;
}

/** Adds minutes to an offset: Date.parse accepts only `±HH:MM`. */
function withMinutes(_offset: string, hours: string, minutes = '00'): string {
  return `${hours}:${minutes}`;
}

/**
 * As `canonicalDateTime`, to the nanosecond: `YYYY-MM-DDTHH:MM:SS.nnnnnnnnnZ`. The order of these
 * texts is the order in time.
 */
export function canonicalInstant(text: string): string | null {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const seconds = canonicalDateTime(text.replace(/\.\d+/, ''))?.slice(
    0,
    'YYYY-MM-DDTHH:MM:SS'.length,
  );
  const isWhole = canonicalDateTime(text) !== null;
  return isWhole && seconds ? `${seconds}.${fraction.padEnd(9, '0')}Z` : null;
}
