import type { NamedCheckpoint } from '../checkpoints/named-checkpoint.ts';
import type { Cause } from '../findings/causes.ts';
import type { Findings } from '../findings/findings.ts';

/** Statements about the end of a log whose last event has the position `last`. */
interface LogEnd {
  readonly last: number;
  /** Position in the row of the head; null if there is none to compare. */
  readonly head: number | null;
  /** Number of published leaves; null if nothing is published. */
  readonly tiles: number | null;
  /** The next listed checkpoint; null after the last one. */
  readonly next: NamedCheckpoint | null;
  readonly findings: Findings;
}

/**
 * Compares the end of the log with its head and with everything that is published. Returns the
 * cause if published events are missing there.
 */
export function compareEnd({ last, head, tiles, next, findings }: LogEnd): Cause | null {
  const published = Math.max(tiles ?? 0, next?.size ?? 0);
  if (published <= last) {
    if (head === null || head === last) return null;
    const what = `log_head states the last position ${head}, but the last event is at position ${last}`;
    findings.reportFault({ in: 'log_head', position: null, column: 'position', what });
    return null;
  }
  const reasons: string[] = [];
  if (head !== null && head > last) reasons.push(`log_head states the last position ${head}`);
  if (tiles !== null && tiles > last) reasons.push(`${tiles} events are published`);
  if (next !== null && next.size > last) reasons.push(`${next.name} covers ${next.size} events`);
  const upTo = Math.max(published, head ?? 0);
  const missing = upTo === last + 1 ? `event ${upTo} is` : `events ${last + 1} to ${upTo} are`;
  const what = `${missing} missing at the end of the log: ${reasons.join(', ')}`;
  const fault = { in: 'events', position: last + 1, column: 'position', what } as const;
  const cut = findings.reportCause(fault, { streams: [] });
  findings.leaveUnnamed(cut);
  return cut;
}
