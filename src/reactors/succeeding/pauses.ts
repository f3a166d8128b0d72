import type { ProofId } from '../../domain/ulid.ts';

const firstPauseMs = 10_000;
const longestPauseMs = 3_600_000;

/** Proofs to leave alone for a time: the read model may lag behind, or issuing failed. */
export class Pauses {
  readonly #clock: () => number;
  readonly #pauses = new Map<ProofId, { readonly untilMs: number; readonly pauseMs: number }>();

  /** `clock` is monotonic, in milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  begin(proofId: ProofId, pauseMs = firstPauseMs): void {
    this.#pauses.set(proofId, { untilMs: this.#clock() + pauseMs, pauseMs });
  }

  /** Begins a pause that is twice as long as the one before. */
  lengthen(proofId: ProofId): void {
    const before = this.#pauses.get(proofId)?.pauseMs ?? firstPauseMs / 2;
    this.begin(proofId, Math.min(2 * before, longestPauseMs));
  }

  /** Proofs whose pause has not ended. Forgets pauses that ended as long ago as they lasted. */
  current(): readonly ProofId[] {
    const now = this.#clock();
    const current: ProofId[] = [];
    for (const [proofId, { untilMs, pauseMs }] of this.#pauses) {
      if (untilMs > now) current.push(proofId);
      else if (now > untilMs + pauseMs) this.#pauses.delete(proofId);
    }
    return current;
  }
}
