import type { Recorded } from '../../domain/event.ts';
import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import { type LogEvent, logEvents } from '../../domain/log/events.ts';
import { evolveLog } from '../../domain/log/evolve.ts';
import { unopenedLog } from '../../domain/log/state.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import {
  foldLog,
  type LoadedLog,
  type LogReading,
  readLog,
} from '../../transparency-log/load-log.ts';

type Place = Pick<StoredEvent, 'version' | 'eventId'>;

/**
 * The checkpoint that is being anchored, folded from the log. Events may come twice, as with proofs:
 * a version that was folded already is passed over.
 */
export class OpenCheckpoint {
  #log: LoadedLog = { state: unopenedLog, version: 0, causeId: '' };
  #notBefore = 0;
  readonly #onApplied: (signed: SignedTransaction) => void;

  /** Hears of each transaction that a validated ledger is known to have applied. */
  constructor(onApplied: (signed: SignedTransaction) => void) {
    this.#onApplied = onApplied;
  }

  get log(): LoadedLog {
    return this.#log;
  }

  /** Whether one waits to be signed for at a ledger. */
  isDue(ledgerIndex: number): boolean {
    return this.#log.state.checkpoint.status === 'pending' && this.#notBefore <= ledgerIndex;
  }

  /** The transaction of the one that may be on a ledger; null if there is none. */
  get underWay(): SignedTransaction | null {
    const { checkpoint } = this.#log.state;
    return checkpoint.status === 'processing' ? checkpoint.prepared : null;
  }

  /** Goes on from a saved state. */
  restore(log: LoadedLog): void {
    this.#log = log;
  }

  /** Folds what the stream says now. */
  async read(store: LogReading): Promise<void> {
    const events = await readLog(store);
    // The log may have told newer events meanwhile: folding never goes back.
    if (events !== null && this.#follows(events)) for (const event of events) this.fold(event);
    else if (events !== null) this.#log = foldLog(events);
  }

  fold(event: Recorded<LogEvent> & Place): void {
    if (event.version <= this.#log.version) return;
    const { underWay } = this;
    const state = evolveLog(this.#log.state, event);
    this.#log = { state, version: event.version, causeId: event.eventId };
    const isApplied = event.type === 'CheckpointAnchored' || event.type === 'CheckpointRefused';
    if (isApplied && underWay !== null) this.#onApplied(underWay);
  }

  /** Whether there is no gap between what was folded and these. */
  #follows(events: readonly StoredEvent<LogEvent>[]): boolean {
    return (events[0]?.version ?? 0) <= this.#log.version + 1;
  }

  /** One failed at this ledger: after n failures it is tried again 2^n ledgers later. */
  postpone(ledgerIndex: number): void {
    const { checkpoint } = this.#log.state;
    const failures = checkpoint.status === 'none' ? 0 : checkpoint.failures;
    if (failures > 0) this.#notBefore = ledgerIndex + 2 ** Math.min(failures, maxPaceExponent);
  }

  /** The ledger whose indexes were counted by is gone. */
  forgetPace(): void {
    this.#notBefore = 0;
  }
}

const maxPaceExponent = 6;

export function isLogEvent(event: StoredEvent): event is StoredLogEvent {
  return event.type in logEvents;
}

type StoredLogEvent = Extract<StoredEvent, { type: LogEvent['type'] }>;
