import type { Api } from '../calls/api.ts';
import { pollMs, pollUntil, untilDone } from '../calls/patience.ts';
import type { RateLimits } from '../calls/rate-limits.ts';
import { backoffMs, waitBefore } from '../calls/repeat.ts';
import type { Wait } from '../calls/wait.ts';
import { ProofmarkError } from '../errors.ts';
import { type BatchItem, type Decision, isOpen, sendable, sendBatch } from './batch.ts';
import type { Anchored, Journal } from './journal.ts';
import { lookUpHashes } from './look-up.ts';

export interface SettleDeps {
  readonly api: Api;
  readonly limits: RateLimits;
  readonly wait: Wait;
  readonly workspace: string;
  readonly journal: Journal | null;
  readonly signal: AbortSignal;
  /** Longest time without a further proof, in milliseconds. */
  readonly patienceMs: number;
  /** True if the service has answered nothing in this run yet. */
  readonly isFirst: boolean;
  /** True if the patience was over before: rejects then, unless the first hash is taken at once. */
  readonly isLate: boolean;
}

/** Longest wait for the first answer of a service: its address may be wrong. */
const firstContactMs = 60_000;

/**
 * Proves some hundred hashes, each at most once: first asks which are proven, then sends the others, and
 * those again that were rolled back or are queued. Goes on after outages, during which it sends one hash at a
 * time, since each one costs an item of the day. Rejects if the service takes none for too long.
 */
export class HashSettlement {
  readonly #deps: SettleDeps;
  readonly #decisions = new Map<string, Decision>();
  readonly #left: Map<string, BatchItem>;
  #lastProofMs: number;
  #attempts = 0;
  /** True if nothing of the last batch was taken. */
  #isRefused: boolean;
  #isGivenUp = false;
  /** False once the key was refused to read. */
  #mayRead = true;

  constructor(items: readonly BatchItem[], deps: SettleDeps) {
    this.#deps = deps;
    this.#left = new Map(items.map((item) => [item.hash, item]));
    this.#lastProofMs = deps.isLate ? Number.NEGATIVE_INFINITY : Date.now();
    this.#isRefused = deps.isLate;
  }

  /** True if the patience is over: hashes were left then, or it was over before and no hash was proven since. */
  get isLate(): boolean {
    return this.#isGivenUp || this.#lastProofMs === Number.NEGATIVE_INFINITY;
  }

  /** Decisions so far. */
  get decisions(): ReadonlyMap<string, Decision> {
    return this.#decisions;
  }

  /** The decision about each hash. */
  async run(): Promise<ReadonlyMap<string, Decision>> {
    const { journal } = this.#deps;
    for (const hash of this.#left.keys()) {
      const proof = journal?.proof(hash);
      if (proof) this.#settle(hash, { proof, lacksNonce: false });
    }
    // The answer of a batch that a crash cut off had the nonces, so that batch is sent again instead.
    const unsent = [...this.#left.keys()].filter((hash) => !journal?.isOpen(hash));
    await this.#lookUp(unsent);
    while (this.#left.size > 0) await this.#send();
    return this.#decisions;
  }

  async #send(): Promise<void> {
    const { api, limits, workspace, journal, signal, wait } = this.#deps;
    const left = [...this.#left.values()];
    const items = sendable(this.#isRefused ? left.slice(0, 1) : left, limits);
    await journal?.recordSent(items.map(({ hash }) => hash));
    let open: ProofmarkError[];
    try {
      open = await this.#record(await sendBatch(api, workspace, items, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProofmarkError) || !error.retryable) throw error;
      // The limit of the day has room for fewer, and its answer says for how many.
      if (error.status === 429 && limits.items() > 0 && limits.items() < items.length) return;
      open = [error];
    }
    const queued = open.flatMap(({ proofId }) => (proofId === null ? [] : [proofId]));
    this.#isRefused = this.#left.size === left.length && queued.length === 0;
    const [first] = open;
    if (first === undefined) {
      this.#attempts = 0;
      return;
    }
    this.#attempts += 1;
    const waits = open.map((error) => waitBefore(error, this.#attempts));
    const waitMs = Math.max(...waits, this.#isRefused ? backoffMs(this.#attempts) : 0);
    const patienceLeftMs = this.#patienceLeftMs();
    if (waitMs > patienceLeftMs) return this.#giveUp(first);
    this.#sendLast(items);
    if (queued.length > 0) await this.#awaitQueued(items, patienceLeftMs);
    else await wait(waitMs, signal);
  }

  /** Records the decisions, and returns the errors of the hashes to send again. */
  async #record(decisions: ReadonlyMap<string, Decision>): Promise<ProofmarkError[]> {
    const open: ProofmarkError[] = [];
    const proofs = new Map<string, Anchored>();
    const withoutNonce = new Map<string, Anchored>();
    for (const [hash, decision] of decisions) {
      if ('proof' in decision) {
        const isWhole = !decision.lacksNonce || !this.#mayRead;
        (isWhole ? proofs : withoutNonce).set(hash, decision.proof);
        if (!isWhole) continue;
      } else if (isOpen(decision.error)) {
        open.push(decision.error);
        this.#decisions.set(hash, decision);
        continue;
      }
      this.#settle(hash, decision);
    }
    await this.#deps.journal?.recordProofs(proofs);
    if (proofs.size > 0) this.#lastProofMs = Date.now();
    for (const [hash, proof] of withoutNonce) await this.#recordLate(hash, proof);
    return open;
  }

  /** Records a proof of which the answer with the nonce got lost, together with its nonce. */
  async #recordLate(hash: string, proof: Anchored): Promise<void> {
    const proofNonce = this.#mayRead ? await this.#nonceOf(proof) : null;
    const whole = { ...proof, proofNonce };
    await this.#deps.journal?.recordProofs(new Map([[hash, whole]]));
    this.#settle(hash, { proof: whole, lacksNonce: proofNonce === null });
    this.#lastProofMs = Date.now();
  }

  /** The nonce; null if the proof is gone, or the key may not read it. */
  async #nonceOf({ proofId }: Anchored): Promise<string | null> {
    const { api, signal, wait } = this.#deps;
    const params = { path: { proofId }, query: { includeSalt: true } };
    try {
      const { body } = await untilDone(() => api.GET('/proofs/{proofId}', { params, signal }), {
        ...{ patienceMs: this.#patienceLeftMs(), signal, wait },
        isRepeated: (error) => error.retryable,
      });
      return body.data.proofNonce;
    } catch (error) {
      const isAnswer = error instanceof ProofmarkError && [403, 404].includes(error.status ?? 0);
      if (!isAnswer) throw error;
      this.#mayRead &&= error.status !== 403;
      return null;
    }
  }

  /** Sends these hashes after the others, so that one that is always refused stops no other. */
  #sendLast(items: readonly BatchItem[]): void {
    for (const item of items) {
      if (this.#left.delete(item.hash)) this.#left.set(item.hash, item);
    }
  }

  /**
   * Without any decision the run fails; else the hashes that are left do. It also fails if its patience was
   * over before this group, whose hash was not taken either.
   */
  #giveUp(error: ProofmarkError): void {
    if (this.#deps.isLate) throw error;
    for (const hash of this.#left.keys()) {
      if (!this.#decisions.has(hash)) throw error;
    }
    this.#left.clear();
    this.#isGivenUp = true;
  }

  #settle(hash: string, decision: Decision): void {
    this.#decisions.set(hash, decision);
    this.#left.delete(hash);
  }

  /** Settles the hashes that are proven already. */
  async #lookUp(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    const { api, workspace, signal, journal, wait } = this.#deps;
    const left = this.#patienceLeftMs();
    const patienceMs = this.#deps.isFirst ? Math.min(left, firstContactMs) : left;
    const known = await untilDone(() => lookUpHashes(api, workspace, hashes, signal), {
      ...{ patienceMs, signal, wait },
      isRepeated: (error) => error.retryable && error.code !== 'UNEXPECTED_ANSWER',
    }).catch((error) => {
      // Keys of agents may write without reading. Sending a hash again is safe, too.
      if (error instanceof ProofmarkError && error.code === 'SCOPE_NOT_PERMITTED') return null;
      throw error;
    });
    this.#mayRead = known !== null;
    const proofs = new Map<string, Anchored>();
    for (const { hash, proven, proofId, txHash, timestamp } of known ?? []) {
      if (!proven || proofId === null || txHash === null || timestamp === null) continue;
      proofs.set(hash, { proofId, txHash, timestamp, proofNonce: null });
    }
    await journal?.recordProofs(proofs);
    for (const [hash, proof] of proofs) this.#settle(hash, { proof, lacksNonce: false });
  }

  /** Asks until none of the hashes is queued. They are sent again afterwards, for their nonces. */
  async #awaitQueued(items: readonly BatchItem[], patienceMs: number): Promise<void> {
    const { api, workspace, signal, wait } = this.#deps;
    const hashes = items.map(({ hash }) => hash).filter((hash) => this.#left.has(hash));
    const isSettled = async () => {
      try {
        const known = await lookUpHashes(api, workspace, hashes, signal);
        return known.every(({ proven, proofId }) => proven || proofId === null);
      } catch (error) {
        if (!(error instanceof ProofmarkError) || error.status !== 403) throw error;
        // Without the scope, sending the hashes again tells.
        await wait(pollMs.last, signal);
        return true;
      }
    };
    await pollUntil(isSettled, { endsAtMs: Date.now() + patienceMs, signal, wait });
  }

  #patienceLeftMs(): number {
    return this.#lastProofMs + this.#deps.patienceMs - Date.now();
  }
}
