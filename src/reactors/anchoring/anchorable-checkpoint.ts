import { decideOnLog } from '../../commands/decide-on-log.ts';
import type { Outcome, SignedTransaction } from '../../domain/ledger/transaction.ts';
import { type CheckpointMemo, checkpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { prepareCheckpoint, settleCheckpoint } from '../../domain/log/decide.ts';
import type { LogEvent } from '../../domain/log/events.ts';
import type { LedgerMemo } from '../../domain/proof/memo.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore, StreamAppend } from '../../event-store/event-store.ts';
import type { LoadedLog } from '../../transparency-log/load-log.ts';
import type { Anchorable, Purpose } from './anchorable.ts';
import type { OpenCheckpoint } from './open-checkpoint.ts';

/** The open checkpoint of the log, anchored by the transaction whose memo is it. */
export class AnchorableCheckpoint implements Anchorable {
  readonly #open: OpenCheckpoint;
  readonly #log: LoadedLog;
  readonly #memo: CheckpointMemo;

  private constructor(open: OpenCheckpoint, memo: CheckpointMemo) {
    this.#open = open;
    this.#log = open.log;
    this.#memo = memo;
  }

  /** Null where no checkpoint is open. */
  static of(open: OpenCheckpoint): AnchorableCheckpoint | null {
    const { checkpoint } = open.log.state;
    return checkpoint.status === 'none' ? null : new AnchorableCheckpoint(open, checkpoint.memo);
  }

  get purpose(): Purpose {
    return { checkpointSize: this.#memo.size };
  }

  memo(): LedgerMemo {
    return checkpointMemo(this.#memo);
  }

  prepared(signed: SignedTransaction): StreamAppend {
    return this.#entry(prepareCheckpoint(this.#log.state, signed));
  }

  settled(outcome: Outcome): StreamAppend | null {
    const events = settleCheckpoint(this.#log.state, outcome);
    return events.length === 0 ? null : this.#entry(events);
  }

  appended({ events }: StreamAppend, eventIds: readonly string[]): void {
    events.forEach((event, index) => {
      this.#open.fold({
        // What it made is events of the log's own; none of those that it makes says when it was.
        ...(event as LogEvent),
        recordedAt: this.#log.state.lastTurnAt,
        version: this.#log.version + 1 + index,
        eventId: eventIds[index] ?? '',
      });
    });
  }

  async decide(store: EventStore, outcome: Outcome): Promise<void> {
    const meta = { actor: 'anchoring', causedBy: this.#log.causeId } as const;
    await decideOnLog(store, (state) => settleCheckpoint(state, outcome), meta);
    await this.reread(store);
  }

  reread(store: EventStore): Promise<void> {
    return this.#open.read(store);
  }

  postpone(ledgerIndex: number): void {
    this.#open.postpone(ledgerIndex);
  }

  #entry(events: readonly LogEvent[]): StreamAppend {
    const { state, version, causeId } = this.#log;
    const stream = streams.log(state.logId);
    const expectedVersion = version;
    return { organisationId: null, stream, expectedVersion, causedBy: causeId, events };
  }
}
