import { accountEvents } from '../../domain/account/events.ts';
import type { AttestationEvent } from '../../domain/attestation/events.ts';
import { type CheckpointRequested, checkpointEvents } from '../../domain/log/checkpoint-events.ts';
import type { CheckpointMemo } from '../../domain/log/checkpoint-memo.ts';
import { logDecider } from '../../domain/log/decider.ts';
import { originOf } from '../../domain/log/origin.ts';
import type { LogState } from '../../domain/log/state.ts';
import { timestampEvents } from '../../domain/log/timestamp-events.ts';
import { streams } from '../../domain/streams.ts';
import type { EventHeader, EventStore } from '../../event-store/event-store.ts';
import type { Leaves } from '../../event-store/leaves.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import type { LoadedLog } from '../../loading/load-log.ts';
import { Frontier } from '../../transparency-log/tree/frontier.ts';
import { rootAt } from '../../transparency-log/tree/root-at.ts';

type Reason = CheckpointRequested['data']['reason'];

/** The log and its published checkpoints. */
interface RequestOptions {
  readonly store: Pick<EventStore, 'append' | 'readHeaders'>;
  readonly leaves: Pick<Leaves, 'read'>;
  /** Reads the newest published checkpoint, of any epoch; null if there is none. */
  readonly published: () => Promise<CheckpointMemo | null>;
  /** The configured account. */
  readonly account: string | null;
}

/**
 * Result of a request. `nothingNew`: no event that needs a checkpoint since the last anchored one.
 * `unpublished`: no published checkpoint covers such an event yet. `open`: another request is open.
 */
type CheckpointRequest =
  | { readonly outcome: 'requested'; readonly memo: CheckpointMemo }
  | { readonly outcome: 'nothingNew' | 'unpublished' | 'open' };

/**
 * Requests the anchoring of published checkpoints of the current log. Keeps the tree so far, so that
 * the next one costs only the later events. Events of the anchoring and timestamping of checkpoints do
 * not count as new, nor do the attestations of ledgers, which follow from an anchoring.
 * Otherwise a log without other events would be anchored again and again.
 */
export class CheckpointRequests {
  readonly #options: RequestOptions;
  /** Every account known to anchor checkpoints. */
  readonly #accounts: Set<string>;
  readonly #frontier = new Frontier();
  /** Log position up to which there is nothing new. */
  #seen = 0;

  constructor(options: RequestOptions) {
    const { account } = options;
    this.#options = options;
    this.#accounts = new Set(account === null ? [] : [account]);
  }

  /**
   * May be repeated after any failure. Of several concurrent calls, one appends: after a conflict
   * another request is open, so there is no retry.
   * @param leastSize number of events that the checkpoint must cover
   */
  async request(
    log: LoadedLog,
    reason: Reason,
    meta: EventMeta,
    leastSize = 0,
  ): Promise<CheckpointRequest> {
    const { state, version: expectedVersion } = log;
    if (state.checkpoint.status !== 'none') return { outcome: 'open' };
    const news = await this.#firstNews(state);
    if (news === null) return { outcome: 'nothingNew' };
    const memo = await this.#options.published();
    if (memo?.origin !== originOf(state) || memo.size < Math.max(news, leastSize)) {
      return { outcome: 'unpublished' };
    }
    await this.#confirm(memo);
    const events = logDecider.requestCheckpoint(state, memo, reason);
    if (events.length === 0) return { outcome: 'nothingNew' };
    const stream = streams.log(state.logId);
    try {
      await this.#options.store.append(
        [{ organisationId: null, stream, expectedVersion, events }],
        meta,
      );
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      return { outcome: 'open' };
    }
    return { outcome: 'requested', memo };
  }

  /** Rejects unless the leaves of the log have the root of the checkpoint. */
  async #confirm({ size, rootHash }: CheckpointMemo): Promise<void> {
    // The log never shrinks under a running process. If the tree is ahead of the log, `rootAt`
    // throws.
    const own = await rootAt(this.#options.leaves, size, this.#frontier);
    if (own === null) throw new Error(`the log ends before position ${size}`);
    if (own.toString('hex') !== rootHash) {
      throw new Error(
        `the published checkpoint of ${size} events is not of this database, so it is not anchored: run ops audit verify`,
      );
    }
  }

  /** Position of the first event that needs a checkpoint; null if there is none. */
  async #firstNews({ anchored, checkpoint }: LogState): Promise<number | null> {
    if (anchored !== null) this.#accounts.add(anchored.account);
    if (checkpoint.status === 'processing') this.#accounts.add(checkpoint.prepared.account);
    this.#seen = Math.max(this.#seen, anchored?.size ?? 0);
    for (;;) {
      const headers = await this.#options.store.readHeaders(this.#seen, pageSize);
      const news = headers.find((header) => !this.#isOwn(header));
      if (news !== undefined) return news.position;
      const last = headers.at(-1);
      if (last === undefined) return null;
      this.#seen = last.position;
    }
  }

  /** True if the event follows from the anchoring of checkpoints, or of proofs that are news themselves. */
  #isOwn({ type, stream }: EventHeader): boolean {
    if (type in checkpointEvents || type in timestampEvents || attestations.has(type)) return true;
    const isSigning = type in accountEvents && type !== 'AccountRetired';
    return isSigning && this.#accounts.has(stream.slice(stream.lastIndexOf('-') + 1));
  }
}

const pageSize = 1_000;
const attestations: ReadonlySet<string> = new Set([
  'LedgerAttested',
  'LedgerLinked',
] satisfies AttestationEvent['type'][]);
