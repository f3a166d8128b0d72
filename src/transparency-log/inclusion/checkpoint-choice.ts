import { findCosignatures } from '../../verifier/log/find-cosignatures.ts';
import type { Policy } from '../../verifier/log/policy.ts';
import { verifyNatively } from '../checkpoint/verify-natively.ts';
import {
  type CosignedCheckpoint,
  type CosignedHistory,
  cosignedNote,
  recentCosigned,
} from '../published/cosigned-checkpoints.ts';
import type { PublishedCheckpoint } from '../published/published-checkpoints.ts';

/** Checkpoints that are searched for a quorum, from the newest back. */
const searched = 4;
/** Longest time that a new checkpoint is not shown, since its quorum may still come. */
const quorumWaitMs = 3_000;

/** Notes whose quorum is remembered, since each request looks at the same ones. */
const mostJudged = 16;

/** A checkpoint with its cosignatures in its note. */
export interface ChosenCheckpoint {
  readonly checkpoint: PublishedCheckpoint;
  /** True if it lacks a quorum, and a checkpoint shortly before it has one. */
  readonly mayGainQuorum: boolean;
}

/**
 * Chooses among the newest checkpoints one with cosignatures of a quorum. If none of them has one,
 * the newest is chosen: witnesses that are away delay nothing.
 */
export class CheckpointChoice {
  readonly #db: CosignedHistory;
  readonly #policy: Policy | null;
  readonly #now: () => number;
  /** The newest checkpoint that this process has seen, and when it first did. */
  #newest = { number: 0, atMs: 0 };
  /** Number of the last shown one. */
  #shown = 0;
  /** True for each note with a quorum. */
  readonly #judged = new Map<string, boolean>();

  constructor(
    db: CosignedHistory,
    policy: Policy | null,
    now: () => number = () => performance.now(),
  ) {
    this.#db = db;
    this.#policy = policy;
    this.#now = now;
  }

  /**
   * Chooses the checkpoint to show; null if none was published. A newer one than the last with a
   * quorum is shown as soon as it has one too, or was on record for some seconds. An earlier one than
   * shown before never follows: readers would take it for a rollback.
   */
  async newest(): Promise<PublishedCheckpoint | null> {
    const { recent, first, cosigned } = await this.#find();
    if (first === undefined) return null;
    if (first.number !== this.#newest.number) {
      this.#newest = { number: first.number, atMs: this.#now() };
    }
    const isFresh = this.#now() - this.#newest.atMs < quorumWaitMs;
    const wanted = isFresh ? (cosigned ?? first) : first;
    const isEarlier = wanted.number < this.#shown;
    const chosen = isEarlier ? recent.find(({ number }) => number === this.#shown) : wanted;
    this.#shown = (chosen ?? first).number;
    return withCosignatures(chosen ?? first);
  }

  /** Chooses a checkpoint that covers the event at a position; null if none does. */
  async covering(position: number): Promise<ChosenCheckpoint | null> {
    const { first, cosigned } = await this.#find();
    if (first === undefined || first.size < position) return null;
    const covers = cosigned !== undefined && cosigned.size >= position;
    const checkpoint = withCosignatures(covers ? cosigned : first);
    return { checkpoint, mayGainQuorum: cosigned !== undefined && !covers };
  }

  /** The newest checkpoints, the first of them, and the newest of its epoch with a quorum. */
  async #find() {
    const recent = await recentCosigned(this.#db, this.#policy === null ? 1 : searched);
    const [first] = recent;
    const cosigned = recent.find((each) => each.origin === first?.origin && this.#hasQuorum(each));
    return { recent, first, cosigned };
  }

  #hasQuorum(checkpoint: CosignedCheckpoint): boolean {
    if (this.#policy === null || this.#policy.quorum.kind === 'none') return false;
    const note = cosignedNote(checkpoint);
    const judged = this.#judged.get(note);
    if (judged !== undefined) return judged;
    const hasQuorum = findCosignatures(note, this.#policy, verifyNatively)?.hasQuorum ?? false;
    if (this.#judged.size >= mostJudged) this.#judged.clear();
    this.#judged.set(note, hasQuorum);
    return hasQuorum;
  }
}

function withCosignatures(chosen: CosignedCheckpoint): PublishedCheckpoint {
  const { cosignatures: _, ...checkpoint } = chosen;
  return { ...checkpoint, note: cosignedNote(chosen) };
}
