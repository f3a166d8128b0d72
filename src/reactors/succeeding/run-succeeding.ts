import { exhaustMap, timer } from 'rxjs';
import type { CertifiedProof } from '../../domain/proof/state.ts';
import type { OrganisationId, ProofId } from '../../domain/ulid.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';

/** A proof whose newest certificate lacks signatures that are on record. */
export interface DueProof {
  readonly proofId: ProofId;
  readonly organisationId: OrganisationId;
}

export interface SucceedingOptions {
  /** Due proofs, as far as the log was folded: at most `limit`, and none of `except`. */
  readonly due: (limit: number, except: readonly ProofId[]) => Promise<readonly DueProof[]>;
  /** Issues the successor, or returns the proof as it is. */
  readonly issue: (proof: DueProof) => Promise<CertifiedProof>;
  readonly locks: Pick<WorkLocks, 'hold'>;
  /** Called when a successor could not be issued; it is tried again. */
  readonly onError: (error: unknown, proof: DueProof | null) => void;
  readonly everyMs?: number;
  /** Milliseconds, monotonic. */
  readonly clock?: () => number;
}

const atOnce = 50;
const firstPauseMs = 10_000;
const longestPauseMs = 3_600_000;

/** The signatures on record do not prove the transaction by any list. */
class UnprovenAnchor extends Error {
  constructor({ proofId }: DueProof) {
    super(`the recorded signatures do not prove the anchor of proof ${proofId}`);
    this.name = 'UnprovenAnchor';
  }
}

/**
 * Issues the successors of certificates that were issued without the signatures of validators, once
 * these are on record. One process at a time works, to save rendering. The version of the proof's
 * stream lets only one append. Returns a function that stops it.
 */
export function runSucceeding(options: SucceedingOptions): () => Promise<void> {
  const { due, issue, locks, onError, everyMs = 1_000 } = options;
  const { clock = () => performance.now() } = options;
  /** When a proof is looked at again: the read model may lag behind, or issuing failed. */
  const paused = new Map<ProofId, { readonly until: number; readonly pauseMs: number }>();
  let isStopped = false;

  const pause = ({ proofId }: DueProof, pauseMs: number) => {
    paused.set(proofId, { until: clock() + pauseMs, pauseMs });
  };
  const issueOne = async (proof: DueProof) => {
    const before = paused.get(proof.proofId);
    try {
      const { certificate } = await issue(proof);
      if (certificate.attestation === null) throw new UnprovenAnchor(proof);
      pause(proof, firstPauseMs);
    } catch (error) {
      const pauseMs = before ? Math.min(2 * before.pauseMs, longestPauseMs) : firstPauseMs;
      pause(proof, pauseMs);
      onError(error, proof);
    }
  };
  const forgetOld = () => {
    for (const [proofId, { until, pauseMs }] of paused) {
      if (clock() > until + pauseMs) paused.delete(proofId);
    }
  };
  const work = async () => {
    forgetOld();
    try {
      if ((await locks.hold('successors of certificates')) === null) return;
      for (;;) {
        const now = clock();
        const except = [...paused].flatMap(([proofId, { until }]) => (until > now ? proofId : []));
        const found = await due(atOnce, except);
        for (const proof of found) {
          if (isStopped) return;
          await issueOne(proof);
        }
        if (found.length < atOnce) return;
      }
    } catch (error) {
      onError(error, null);
    }
  };
  let working: Promise<void> = Promise.resolve();
  const running = timer(0, everyMs)
    .pipe(
      exhaustMap(() => {
        working = work();
        return working;
      }),
    )
    .subscribe();
  return async () => {
    isStopped = true;
    running.unsubscribe();
    await working;
  };
}
