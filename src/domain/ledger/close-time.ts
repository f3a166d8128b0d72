/** Seconds between 1970-01-01 and the ledger's epoch, 2000-01-01, both at 00:00:00Z. */
export const epochOffsetSeconds = 946_684_800;

/**
 * Returns a ledger time (seconds since 2000-01-01T00:00:00Z) as ISO 8601, e.g.
 * `2026-11-20T23:04:13.000Z`.
 */
export function closeTimeIso(closeTime: number): string {
  return new Date((closeTime + epochOffsetSeconds) * 1000).toISOString();
}

/** Maximum age of the newest ledger of servers that do not lag. */
const currentMs = 60_000;

/** Returns true if the ledger closed just now, so that the servers that show it do not lag. */
export function isCurrent(closeTime: number, now: Date): boolean {
  return now.getTime() - Date.parse(closeTimeIso(closeTime)) < currentMs;
}

/** Minimum average time between two validated ledgers of a public network, in seconds. */
export const minIntervalSeconds = 2;
