import type { EventRow } from '../../../src/event-store/stored-event.ts';
import { parseObject } from '../rows/parse-object.ts';

/**
 * Clocks of processes differ, and a suspended process records late. A day is more than either
 * explains.
 */
const toleranceMs = 86_400_000;

/**
 * Compares the times at which events were recorded with each other, with the present, and with the
 * ledgers: an event was recorded after the ledgers that precede it in the log had closed, and before
 * a ledger closed that contains a checkpoint of the event.
 */
export class RecordedTimes {
  readonly #nowMs: number;
  readonly #sizes: ReadonlySet<number>;
  /** The last two plausible times. */
  #before: readonly Timed[] = [];
  #latest: Timed | null = null;
  /** Latest time of the first events, by their number. */
  readonly #latestAt = new Map<number, Timed>();
  /** Latest close of a ledger in an event. */
  #closed: Timed | null = null;

  /** @param sizes the sizes of the checkpoints that later events anchor */
  constructor(nowMs = Date.now(), sizes: ReadonlySet<number> = new Set()) {
    this.#nowMs = nowMs;
    this.#sizes = sizes;
  }

  /**
   * True if an event can have been recorded at this time. If not, see `reasonAgainst`. No checkpoint
   * may have the size of this position. Times are in ms since 1970.
   * @param closed close of the ledger in the event; NaN if there is none
   */
  follows(position: number, at: number, closed = Number.NaN): boolean {
    const previous = this.#before.at(-1);
    if (previous === undefined || !(at <= this.#nowMs + toleranceMs)) return false;
    const closedBefore = this.#closed?.at ?? 0;
    const earliest = Math.max(previous.at, closedBefore) - toleranceMs;
    if (!(at >= earliest) || at < closed - toleranceMs) return false;
    if (closed > closedBefore) this.#closed = { position, at: closed };
    this.#compareWithPrevious({ position, at });
    return true;
  }

  /**
   * Returns the event whose time is impossible, with the reason: the given event, or an earlier one.
   * An impossible time is not compared with any other.
   */
  reasonAgainst(row: EventRow): WrongTime | null {
    const wrong = this.#compare(row);
    const { position } = row;
    if (this.#latest !== null && this.#sizes.has(position)) {
      this.#latestAt.set(position, this.#latest);
    }
    return wrong;
  }

  #compare({ position, recorded_at, type, data }: EventRow): WrongTime | null {
    const at = Date.parse(recorded_at);
    if (Number.isNaN(at)) return null; // the audit of the row reports it
    const wrong = (what: string, of = position) => ({ position: of, what });
    if (at > this.#nowMs + toleranceMs) return wrong('the time is in the future');
    const { closed, size } = closings.has(type) ? closeOf(data) : notClosed;
    if (at < closed - toleranceMs) {
      return wrong(`the time is ${days(closed - at)} before the close of the ledger in the event`);
    }
    const earliest = this.#closed;
    if (earliest !== null && at < earliest.at - toleranceMs) {
      return wrong(
        `the time is ${days(earliest.at - at)} before the close of the ledger in the earlier event ${earliest.position}`,
      );
    }
    if (closed > (earliest?.at ?? 0)) this.#closed = { position, at: closed };
    const covered = size === null ? undefined : this.#latestAt.get(size);
    if (covered !== undefined && covered.at > closed + toleranceMs) {
      this.#latestAt.clear();
      return wrong(
        `the time is ${days(covered.at - closed)} after the close of the ledger that contains a checkpoint of the event, as event ${position} records`,
        covered.position,
      );
    }
    return this.#compareWithPrevious({ position, at });
  }

  #compareWithPrevious(timed: Timed): WrongTime | null {
    const { position, at } = timed;
    const previous = this.#before.at(-1);
    const earlier = this.#before.length > 1 ? this.#before[0] : undefined;
    if (previous === undefined || at >= previous.at - toleranceMs) {
      this.#before = previous === undefined ? [timed] : [previous, timed];
      if (at > (this.#latest?.at ?? 0)) this.#latest = timed;
      return null;
    }
    if (earlier !== undefined && at >= earlier.at - toleranceMs) {
      this.#before = [earlier, timed];
      if (this.#latest === previous) this.#latest = earlier;
      const what = `the time is ${days(previous.at - at)} after that of the next event`;
      return { position: previous.position, what };
    }
    this.#before = [timed];
    const what = `the time is ${days(previous.at - at)} before that of the previous event`;
    return { position, what };
  }
}

interface Timed {
  readonly position: number;
  readonly at: number;
}

interface WrongTime {
  readonly position: number;
  readonly what: string;
}

/** Events of a validated ledger, recorded after it closed. */
export const closings: ReadonlySet<string> = new Set(['Anchored', 'CheckpointAnchored']);
const notClosed = { closed: Number.NaN, size: null };

/** Close of the ledger; the size of the checkpoint in it, if there is one. */
function closeOf(text: string): { readonly closed: number; readonly size: number | null } {
  // The audit of the row reports data that are no object.
  const { closeTimeIso, size } = parseObject(text) ?? {};
  const closed = Date.parse(String(closeTimeIso));
  return { closed, size: Number.isInteger(size) ? Number(size) : null };
}

function days(ms: number): string {
  const count = Math.round(ms / toleranceMs);
  return count === 1 ? 'a day' : `${count} days`;
}
