/** Seconds between the Unix epoch and 2000-01-01T00:00:00Z, the ledger's epoch. */
const epochOffset = 946_684_800;
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Resolution of close times, in seconds; a chain that closes well keeps the finest bin. */
export const closeTimeResolution = 10;

export function rippleSeconds(unixMs: number): number {
  return Math.floor(unixMs / 1000) - epochOffset;
}

export function isoTime(rippleTime: number): string {
  return `${new Date((rippleTime + epochOffset) * 1000).toISOString().slice(0, 19)}Z`;
}

/** `2026-Nov-20 23:06:23.000000000 UTC`, the form of `close_time_human`. */
export function humanTime(rippleTime: number): string {
  return humanDate(new Date((rippleTime + epochOffset) * 1000), '000000000');
}

/** `2026-Nov-20 23:03:29.139800 UTC`, the form of `time` in `server_info`. */
export function serverTime(unixMs: number): string {
  return humanDate(new Date(unixMs), `${String(unixMs % 1000).padStart(3, '0')}000`);
}

/**
 * Rounded to the resolution, but after the parent (rippled: effCloseTime). rippled's ledgers are
 * seconds apart. Ledgers that close faster share a close time, so that close times never run ahead
 * of the clock by more than the rounding. Close times never go back, even if the clock does.
 */
export function closeTimeAfter(parentCloseTime: number, now: number): number {
  const latest = now + closeTimeResolution / 2;
  const next = Math.min(parentCloseTime + 1, latest);
  return Math.max(roundCloseTime(now), next, parentCloseTime);
}

export function roundCloseTime(now: number): number {
  const shifted = now + closeTimeResolution / 2;
  return shifted - (shifted % closeTimeResolution);
}

function humanDate(date: Date, fraction: string): string {
  const iso = date.toISOString();
  return `${iso.slice(0, 4)}-${months[date.getUTCMonth()]}-${iso.slice(8, 10)} ${iso.slice(11, 19)}.${fraction} UTC`;
}
