import { exhaustMap, timer } from 'rxjs';
import type { DueProof } from '../../domain/proof/due-proof.ts';
import type { CertifiedProof } from '../../domain/proof/state.ts';
import type { ProofId } from '../../domain/ulid.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { Pauses } from './pauses.ts';

export interface SucceedingOptions {
  /** Due proofs, as far as the log was folded: at most `limit`, and none of `except`. */
  readonly due: (limit: number, except: readonly ProofId[]) => Promise<readonly DueProof[]>;
  /** Issues the successor, or returns the proof as it is. */
  readonly issue: (proof: DueProof) => Promise<CertifiedProof>;
  readonly locks: Pick<WorkLocks, 'hold' | 'release'>;
  /** Called when a successor could not be issued; it is tried again. */
  readonly onError: (error: unknown, proof: DueProof | null) => void;
  readonly everyMs?: number;
  /** Milliseconds, monotonic. */
  readonly clock?: () => number;
}

const lockName = 'successors of certificates';
const atOnce = 50;
/** Failures in a row that end a turn: then the cause is the storage or the database. */
const mostFailures = 3;
const firstRestMs = 2_000;
const longestRestMs = 60_000;

/** The signatures on record do not prove the transaction by any list. */
class UnprovenAnchor extends Error {
  constructor({ proofId }: DueProof) {
    super(`the recorded signatures do not prove the anchor of proof ${proofId}`);
    this.name = 'UnprovenAnchor';
  }
}

/**
 * Issues the successors of certificates that were issued without the signatures of validators or a
 * time-stamp token, once these are on record. One process at a time works, to save rendering: the
 * process with the lock keeps the lock until it fails or stops. After failures in a row it rests,
 * longer each time, so that another process may try. The version of the proof's stream lets only
 * one append. Returns a function that stops it.
 */
export function runSucceeding(options: SucceedingOptions): () => Promise<void> {
  const { due, issue, locks, onError, everyMs = 1_000 } = options;
  const { clock = () => performance.now() } = options;
  const pauses = new Pauses(clock);
  const rest = { untilMs: Number.NEGATIVE_INFINITY, ms: 0 };
  let isStopped = false;
  let failures = 0;

  const issueOne = async (proof: DueProof) => {
    try {
      const { certificate } = await issue(proof);
      const isUnproven = proof.lacksSignatures && certificate.attestation === null;
      failures = 0;
      rest.ms = 0;
      if (isUnproven) fail(new UnprovenAnchor(proof), proof);
      else pauses.lengthen(proof.proofId);
    } catch (error) {
      failures += 1;
      fail(error, proof);
    }
  };
  const fail = (error: unknown, proof: DueProof) => {
    pauses.lengthen(proof.proofId);
    onError(error, proof);
  };
  const workOnPage = async (): Promise<boolean> => {
    const found = await due(atOnce, pauses.current());
    for (const proof of found) {
      if (isStopped || failures >= mostFailures) return false;
      await issueOne(proof);
    }
    return found.length === atOnce;
  };
  const giveUp = async () => {
    failures = 0;
    rest.ms = Math.min(Math.max(2 * rest.ms, firstRestMs), longestRestMs);
    rest.untilMs = clock() + rest.ms;
    await locks.release(lockName).catch(() => {});
  };
  const turn = async () => {
    if (clock() < rest.untilMs) return;
    try {
      // Asked for each page: another process may have taken over during a long one.
      do {
        if (isStopped || (await locks.hold(lockName)) === null) return;
      } while (await workOnPage());
    } catch (error) {
      failures = mostFailures;
      onError(error, null);
    }
    if (failures >= mostFailures) await giveUp();
  };
  let working: Promise<void> = Promise.resolve();
  const running = timer(0, everyMs)
    .pipe(
      exhaustMap(() => {
        working = turn();
        return working;
      }),
    )
    .subscribe();
  return async () => {
    isStopped = true;
    running.unsubscribe();
    await working;
    await locks.release(lockName).catch(() => {});
  };
}
