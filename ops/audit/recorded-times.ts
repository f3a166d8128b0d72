import type { EventRow } from '../../src/event-store/stored-event.ts';

/**
 * Clocks of processes differ, and a suspended process records late. A day is more than either
 * explains.
 */
const toleranceMs = 86_400_000;

/** Compares the times at which events were recorded with each other and with their ledgers. */
export class RecordedTimes {
  readonly #nowMs: number;
  #previousMs: number | null = null;

  constructor(nowMs = Date.now()) {
    this.#nowMs = nowMs;
  }

  /**
   * True if an event without a ledger can have been recorded at this time, in ms since 1970. If not,
   * `reasonsAgainst` it.
   */
  follows(at: number): boolean {
    if (!(at <= this.#nowMs + toleranceMs)) return false;
    if (this.#previousMs !== null && at < this.#previousMs - toleranceMs) return false;
    this.#previousMs = at;
    return true;
  }

  /** Returns the reasons why an event cannot have been recorded when it states. */
  reasonsAgainst({ recorded_at, type, data }: EventRow): readonly string[] {
    const at = Date.parse(recorded_at);
    if (Number.isNaN(at)) return []; // the audit of the row reports it
    const previous = this.#previousMs;
    this.#previousMs = at;
    const reasons: string[] = [];
    if (at > this.#nowMs + toleranceMs) reasons.push('the time is in the future');
    if (previous !== null && at < previous - toleranceMs) {
      reasons.push(`the time is ${days(previous - at)} before that of the previous event`);
    }
    const closed = closings.has(type) ? closeTimeOf(data) : Number.NaN;
    if (at < closed - toleranceMs) {
      reasons.push(`the time is ${days(closed - at)} before the close of the ledger in the event`);
    }
    return reasons;
  }
}

/** Events of a validated ledger, recorded after it closed. */
export const closings: ReadonlySet<string> = new Set(['Anchored', 'CheckpointAnchored']);

function closeTimeOf(data: string): number {
  try {
    return Date.parse(JSON.parse(data).closeTimeIso);
  } catch {
    return Number.NaN; // the audit of the row reports it
  }
}

function days(ms: number): string {
  const count = Math.round(ms / toleranceMs);
  return count === 1 ? 'a day' : `${count} days`;
}
