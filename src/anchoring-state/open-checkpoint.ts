import type { Recorded } from '../domain/event.ts';
import type { SignedTransaction, WithReplaced } from '../domain/ledger/transaction.ts';
import { logDecider } from '../domain/log/decider.ts';
import { type LogEvent, logEvents } from '../domain/log/events.ts';
import type { StoredEvent } from '../event-store/stored-event.ts';
import { type LoadedLog, type LogReading, readLog } from '../loading/load-log.ts';

type Stored = Pick<StoredEvent, 'version' | 'eventId'>;

/**
 * The checkpoint that is being anchored, folded from the log. Events may come twice, as with
 * proofs: a version that was folded before is ignored.
 */
export class OpenCheckpoint {
  #log: LoadedLog = { state: logDecider.initial, version: 0, causeId: '' };
  #notBefore = 0;
  readonly #onApplied: (signed: SignedTransaction) => void;

  /**
   * @param onApplied called with each transaction that a validated ledger is known to have applied
   */
  constructor(onApplied: (signed: SignedTransaction) => void) {
    this.#onApplied = onApplied;
  }

  get log(): LoadedLog {
    return this.#log;
  }

  /** Returns true if a checkpoint waits to be signed for at a ledger. */
  isDue(ledgerIndex: number): boolean {
    return this.#log.state.checkpoint.status === 'pending' && this.#notBefore <= ledgerIndex;
  }

  /** The checkpoint's transactions of which one may be on a ledger; null if there are none. */
  get underWay(): WithReplaced | null {
    const { checkpoint } = this.#log.state;
    return checkpoint.status === 'processing' ? checkpoint : null;
  }

  /** Reads the stream and folds its newest events. */
  async read(store: LogReading): Promise<void> {
    const events = await readLog(store);
    if (events === null) return;
    // The log may have delivered newer events meanwhile: folding never goes back.
    if (!this.#follows(events)) {
      const version = (events[0]?.version ?? 1) - 1;
      this.#log = { state: logDecider.initial, version, causeId: '' };
    }
    for (const event of events) this.fold(event);
  }

  fold(event: Recorded<LogEvent> & Stored): void {
    if (event.version <= this.#log.version) return;
    const { underWay } = this;
    const state = logDecider.evolve(this.#log.state, event);
    this.#log = { state, version: event.version, causeId: event.eventId };
    const isApplied = event.type === 'CheckpointAnchored' || event.type === 'CheckpointRefused';
    if (isApplied && underWay !== null) this.#onApplied(underWay.prepared);
  }

  /** Returns true if no version is missing between the folded ones and these events. */
  #follows(events: readonly StoredEvent<LogEvent>[]): boolean {
    return (events[0]?.version ?? 0) <= this.#log.version + 1;
  }

  /** Delays a checkpoint that failed at this ledger: after n failures, by 2^n ledgers. */
  postpone(ledgerIndex: number): void {
    const { checkpoint } = this.#log.state;
    const failures = checkpoint.status === 'none' ? 0 : checkpoint.failures;
    if (failures > 0) this.#notBefore = ledgerIndex + 2 ** Math.min(failures, maxPaceExponent);
  }

  /** Resets the delay: its ledger index is of a ledger that is gone. */
  forgetPace(): void {
    this.#notBefore = 0;
  }
}

const maxPaceExponent = 6;

export function isLogEvent(event: StoredEvent): event is StoredLogEvent {
  return event.type in logEvents;
}

type StoredLogEvent = Extract<StoredEvent, { type: LogEvent['type'] }>;
