import { parseOrigin } from '../../src/domain/log/origin.ts';
import {
  type Checkpoint,
  readCheckpoint,
} from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { readSignedNote } from '../../src/verifier/log/signed-note.ts';
import type { KnownKeys } from '../audit/checkpoints/known-keys.ts';
import { errorMessage } from '../terminal/error-message.ts';
import type { AnchorWatch } from './anchor-watch.ts';
import { type Condition, condition, passing } from './condition.ts';
import type { FollowState } from './follow-state.ts';
import { isContinued, type PublishedLog } from './is-continued.ts';
import type { KeptCheckpoints } from './kept-checkpoints.ts';
import { LookLimit, type LookLimits } from './look-limit.ts';

export interface FollowerOptions {
  readonly openLog: (limit: LookLimit) => PublishedLog;
  readonly keys: Pick<KnownKeys, 'hasSigned'>;
  /** Origins of the pinned keys. */
  readonly origins: readonly string[];
  readonly kept: KeptCheckpoints;
  readonly state: FollowState;
  /** Checkpoints on the ledger; null: no ledger is asked. */
  readonly anchors: Pick<AnchorWatch, 'look'> | null;
  /** Limits of one look: for the log, and again for the ledger with its comparison. */
  readonly limits: LookLimits;
  /** Time that a failure may last before it is an alert. */
  readonly graceMs: number;
  /** Greatest age of the newest checkpoint; null: any. */
  readonly maxAgeMs: number | null;
  readonly nowMs?: () => number;
}

/**
 * Follows a published log: reads its newest checkpoint, proves that it continues the kept ones, and
 * that the checkpoints on the ledger belong to the same tree. Keeps each checkpoint that does.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #now: () => number;
  /** Checkpoint of a new epoch, whose alert is not stored yet. */
  #entered: { readonly note: string; readonly checkpoint: Checkpoint } | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#now = options.nowMs ?? Date.now;
  }

  /**
   * Looks once. Returns what is wrong, and what may pass: failures that last less than the grace
   * time. Store the alerts, then call `enterEpoch`. Rejects if the folder of kept checkpoints cannot
   * be written.
   */
  async look(): Promise<{ alerts: readonly Condition[]; waits: readonly Condition[] }> {
    const { openLog, limits, state, graceMs } = this.#options;
    const found = await this.#lookAtLog(openLog(new LookLimit(limits)));
    const all = [...found, ...(await this.#lookAtLedger()), ...this.#stopped()];
    const now = this.#now();
    const before = state.content.failingSince;
    const sides = new Set(all.flatMap(({ kind }) => passing[kind] ?? []));
    // A clock may have been set back.
    const since = (side: string) => Math.min(now, before[side] ?? now);
    state.change({ failingSince: Object.fromEntries([...sides].map((one) => [one, since(one)])) });
    await state.store();
    const isDue = ({ kind }: Condition) => {
      const side = passing[kind];
      return side === undefined || now - since(side) >= graceMs;
    };
    return { alerts: all.filter(isDue), waits: all.filter((one) => !isDue(one)) };
  }

  /**
   * Goes on with the epoch that the last look found. Call it when the alerts are stored: after a kill
   * before, the next look alerts again.
   */
  async enterEpoch(): Promise<void> {
    if (this.#entered === null) return;
    const { note, checkpoint } = this.#entered;
    await this.#options.kept.keep(note, checkpoint, this.#now());
    this.#entered = null;
  }

  async #lookAtLog(log: PublishedLog): Promise<readonly Condition[]> {
    const { keys, kept } = this.#options;
    let note: string | null;
    try {
      note = await log.readCheckpoint();
    } catch (error) {
      return [condition('unreachable', `the log cannot be read: ${errorMessage(error)}`)];
    }
    if (note === null) {
      const what = 'the log serves no checkpoint';
      const { newest } = kept;
      return newest === null
        ? [condition('unreachable', what)]
        : [condition('truncated', `${what}, but had ${newest.size} events`, [newest.note])];
    }
    const checkpoint = readCheckpoint(note);
    // An error page of a proxy is no checkpoint, and nobody has signed it.
    if (checkpoint === null) return [condition('unreachable', 'the answer is not a checkpoint')];
    if (!keys.hasSigned(note)) {
      const what = `the checkpoint of ${checkpoint.size} events is not signed with a pinned key`;
      return [{ ...condition('foreign-signature', what, [note]), about: signersOf(note) }];
    }
    return this.#compare(log, note, checkpoint);
  }

  async #compare(
    log: PublishedLog,
    note: string,
    checkpoint: Checkpoint,
  ): Promise<readonly Condition[]> {
    const { kept, origins } = this.#options;
    const { newest } = kept;
    const { origin, size } = checkpoint;
    const known = newest === null ? origins : [newest.origin];
    if (!known.includes(origin)) {
      const [now, before] = [parseOrigin(origin), known.map(parseOrigin)];
      const epochs = before.flatMap((one) => (one?.name === now?.name ? (one?.epoch ?? 0) : []));
      const isSame = now !== null && epochs.length > 0;
      const evidence = newest === null ? [note] : [newest.note, note];
      if (!isSame) {
        const what = `the address serves ${origin}, another log`;
        return [{ ...condition('other-log', what, evidence), about: origin }];
      }
      if (now.epoch < Math.max(...epochs)) {
        const what = `the log went back to its earlier epoch ${origin}`;
        return [{ ...condition('fork', what, evidence), about: origin }];
      }
      this.#entered = { note, checkpoint };
      const what = `the log continues as ${origin}: its operator restored a database and lost events. Ask which`;
      // A later epoch is an alert of its own: this one never ends.
      return [{ ...condition('new-epoch', what, evidence), about: origin }];
    }
    if (newest === null) {
      await kept.keep(note, checkpoint, this.#now());
      return [];
    }
    const isShorter = size < newest.size;
    // A proxy may serve an old checkpoint, but never one of another history.
    const compared = isShorter
      ? await isContinued(log, checkpoint, newest)
      : await isContinued(log, newest, checkpoint);
    if (compared === 'different') {
      const what = `the checkpoint of ${size} events contradicts the kept one of ${newest.size} events`;
      // Another fork may follow one that an operator is still looking into.
      const about = `${size} ${checkpoint.root.toString('base64')}`;
      return [{ ...condition('fork', what, [newest.note, note]), about }];
    }
    if (isShorter) {
      const what = `the log has only ${size} events, but had ${newest.size}`;
      return [condition('truncated', what, [newest.note, note])];
    }
    if (compared !== 'consistent') {
      const what = `the checkpoint of ${size} events cannot be proved to continue that of ${newest.size}: ${compared.unread}`;
      return [condition('unproven', what, [newest.note, note])];
    }
    if (size > newest.size) await kept.keep(note, checkpoint, this.#now());
    return [];
  }

  async #lookAtLedger(): Promise<readonly Condition[]> {
    const { anchors, kept, limits, openLog } = this.#options;
    if (anchors === null || kept.newest === null) return [];
    const limit = new LookLimit(limits);
    return anchors.look(openLog(limit), kept.newest, limit);
  }

  #stopped(): readonly Condition[] {
    const { kept, maxAgeMs } = this.#options;
    if (kept.newest === null || maxAgeMs === null) return [];
    const ageMs = this.#now() - kept.newest.seenAtMs;
    if (ageMs <= maxAgeMs) return [];
    const since = new Date(kept.newest.seenAtMs).toISOString();
    const what = `no new checkpoint since ${since}: the newest one covers ${kept.newest.size} events`;
    return [condition('stopped', what, [kept.newest.note])];
  }
}

/** Key ids of the first signatures of a note, so that each foreign key is an alert of its own. */
function signersOf(note: string): string {
  const ids = (readSignedNote(note)?.signatures ?? []).map(({ keyId }) =>
    Buffer.from(keyId).toString('hex'),
  );
  return [...new Set(ids)].sort().slice(0, 4).join(' ');
}
