import { accountEvents } from '../domain/account/events.ts';
import { type CheckpointRequested, checkpointEvents } from '../domain/log/checkpoint-events.ts';
import { type CheckpointMemo, memoOf } from '../domain/log/checkpoint-memo.ts';
import { logDecider } from '../domain/log/decider.ts';
import { originOf } from '../domain/log/origin.ts';
import type { LogState } from '../domain/log/state.ts';
import { timestampEvents } from '../domain/log/timestamp-events.ts';
import { streams } from '../domain/streams.ts';
import type { EventHeader, EventStore } from '../event-store/event-store.ts';
import type { Leaves } from '../event-store/leaves.ts';
import type { EventMeta } from '../event-store/stored-event.ts';
import { VersionConflict } from '../event-store/version-conflict.ts';
import type { LoadedLog } from '../transparency-log/load-log.ts';
import { Frontier } from '../transparency-log/tree/frontier.ts';
import { rootAt } from '../transparency-log/tree/root-at.ts';

type Reason = CheckpointRequested['data']['reason'];
type Store = Pick<EventStore, 'append' | 'head' | 'readHeaders'>;

/**
 * Result of a request. `nothingNew`: no event that needs a checkpoint since the last anchored one.
 * `open`: another request is open.
 */
type CheckpointRequest =
  | { readonly outcome: 'requested'; readonly memo: CheckpointMemo }
  | { readonly outcome: 'nothingNew' | 'open' };

/**
 * Requests checkpoints of the current log, and keeps the tree so far, so that the next one costs
 * only the later events. Events of the anchoring and timestamping of checkpoints do not count as new.
 * Otherwise a log without other events would be anchored again and again.
 */
export class CheckpointRequests {
  readonly #store: Store;
  readonly #leaves: Pick<Leaves, 'read'>;
  /** Every account known to anchor checkpoints. */
  readonly #accounts: Set<string>;
  readonly #frontier = new Frontier();
  /** Log position up to which there is nothing new. */
  #seen = 0;

  /** `account` is the configured account. */
  constructor(store: Store, leaves: Pick<Leaves, 'read'>, account: string | null) {
    this.#store = store;
    this.#leaves = leaves;
    this.#accounts = new Set(account === null ? [] : [account]);
  }

  /** May be repeated after any failure. Of several concurrent calls, one appends. */
  async request(log: LoadedLog, reason: Reason, meta: EventMeta): Promise<CheckpointRequest> {
    const { state, version: expectedVersion } = log;
    if (state.checkpoint.status !== 'none') return { outcome: 'open' };
    if (!(await this.#hasNews(state))) return { outcome: 'nothingNew' };
    const memo = await this.#newest(state);
    const events = logDecider.requestCheckpoint(state, memo, reason);
    if (events.length === 0) return { outcome: 'nothingNew' };
    const stream = streams.log(state.logId);
    try {
      await this.#store.append([{ organisationId: null, stream, expectedVersion, events }], meta);
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      return { outcome: 'open' };
    }
    return { outcome: 'requested', memo };
  }

  async #newest(state: LogState): Promise<CheckpointMemo> {
    const size = await this.#store.head();
    // The log never shrinks under a running process. If the tree is ahead of the log, `rootAt`
    // throws.
    const root = await rootAt(this.#leaves, size, this.#frontier);
    if (root === null) throw new Error(`the log ends before position ${size}`);
    return memoOf({ origin: originOf(state), size, root });
  }

  async #hasNews({ anchored, checkpoint }: LogState): Promise<boolean> {
    if (anchored !== null) this.#accounts.add(anchored.account);
    if (checkpoint.status === 'processing') this.#accounts.add(checkpoint.prepared.account);
    this.#seen = Math.max(this.#seen, anchored?.size ?? 0);
    for (;;) {
      const headers = await this.#store.readHeaders(this.#seen, pageSize);
      const last = headers.at(-1);
      if (last === undefined) return false;
      if (!headers.every((header) => this.#isOwn(header))) return true;
      this.#seen = last.position;
    }
  }

  /** True if the anchoring or timestamping of checkpoints appended the event. */
  #isOwn({ type, stream }: EventHeader): boolean {
    if (type in checkpointEvents || type in timestampEvents) return true;
    const isSigning = type in accountEvents && type !== 'AccountRetired';
    return isSigning && this.#accounts.has(stream.slice(stream.lastIndexOf('-') + 1));
  }
}

const pageSize = 1_000;
