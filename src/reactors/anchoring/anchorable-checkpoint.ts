import type { OpenCheckpoint } from '../../anchoring-state/open-checkpoint.ts';
import type { SignedTransaction, TransactionOutcome } from '../../domain/ledger/transaction.ts';
import { type CheckpointMemo, checkpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { logDecider } from '../../domain/log/decider.ts';
import type { LogEvent } from '../../domain/log/events.ts';
import type { LedgerMemo } from '../../domain/proof/memo.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore, StreamAppend } from '../../event-store/event-store.ts';
import type { LoadedLog } from '../../loading/load-log.ts';
import { handleLog } from '../../transparency-log/handle-log.ts';
import type { Anchorable, Purpose } from './anchorable.ts';

/** The open checkpoint of the log. A transaction with the checkpoint as its memo anchors it. */
export class AnchorableCheckpoint implements Anchorable {
  readonly #open: OpenCheckpoint;
  readonly #log: LoadedLog;
  readonly #memo: CheckpointMemo;

  private constructor(open: OpenCheckpoint, memo: CheckpointMemo) {
    this.#open = open;
    this.#log = open.log;
    this.#memo = memo;
  }

  /** Null if no checkpoint is open. */
  static of(open: OpenCheckpoint): AnchorableCheckpoint | null {
    const { checkpoint } = open.log.state;
    return checkpoint.status === 'none' ? null : new AnchorableCheckpoint(open, checkpoint.memo);
  }

  get version(): number {
    return this.#log.version;
  }

  get purpose(): Purpose {
    return { checkpointSize: this.#memo.size };
  }

  memo(): LedgerMemo {
    return checkpointMemo(this.#memo);
  }

  prepared(signed: SignedTransaction): StreamAppend {
    return this.#entry(logDecider.prepareCheckpoint(this.#log.state, signed));
  }

  settled(outcome: TransactionOutcome): StreamAppend | null {
    const events = logDecider.settleCheckpoint(this.#log.state, outcome);
    return events.length === 0 ? null : this.#entry(events);
  }

  appended({ events }: StreamAppend, eventIds: readonly string[]): void {
    events.forEach((event, index) => {
      this.#open.fold({
        // The entry holds log events, as `#entry` made them; `recordedAt` matters to none of them.
        ...(event as LogEvent),
        recordedAt: this.#log.state.lastTurnAt,
        version: this.#log.version + 1 + index,
        eventId: eventIds[index] ?? '',
      });
    });
  }

  async decide(store: EventStore, outcome: TransactionOutcome): Promise<void> {
    const meta = { actor: 'anchoring', causedBy: this.#log.causeId } as const;
    await handleLog(store, (state) => logDecider.settleCheckpoint(state, outcome), meta);
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
