import type { Api } from '../calls/api.ts';
import type { RateLimits } from '../calls/rate-limits.ts';
import { waitBefore } from '../calls/repeat.ts';
import type { Wait } from '../calls/wait.ts';
import { ProofmarkError } from '../errors.ts';
import { type BatchItem, type Decision, isOpen, sendable, sendBatch } from './batch.ts';
import type { Anchored, Journal } from './journal.ts';
import { lookUpHashes } from './look-up.ts';
import { pollMs } from './prove.ts';

export interface SettleDeps {
  readonly api: Api;
  readonly limits: RateLimits;
  readonly wait: Wait;
  readonly workspace: string;
  readonly journal: Journal | null;
  readonly signal: AbortSignal;
  /** Longest time without a further proof, in milliseconds. */
  readonly patienceMs: number;
}

/**
 * Proves some hundred hashes, each at most once: first asks which are proven, then sends the others, and
 * those again that were rolled back or are queued. Rejects if the service takes none for too long.
 */
export class HashSettlement {
  readonly #deps: SettleDeps;
  readonly #decisions = new Map<string, Decision>();
  readonly #left: Map<string, BatchItem>;
  #lastProofMs = Date.now();
  #attempts = 0;

  constructor(items: readonly BatchItem[], deps: SettleDeps) {
    this.#deps = deps;
    this.#left = new Map(items.map((item) => [item.hash, item]));
  }

  /** The decision about each hash. */
  async run(): Promise<ReadonlyMap<string, Decision>> {
    const { journal } = this.#deps;
    for (const hash of this.#left.keys()) {
      const proof = journal?.proof(hash);
      if (proof) this.#settle(hash, { proof });
    }
    // The answer of a batch that a crash cut off had the nonces, so that batch is sent again instead.
    const unsent = [...this.#left.keys()].filter((hash) => !journal?.isOpen(hash));
    await this.#lookUp(unsent);
    while (this.#left.size > 0) await this.#send();
    return this.#decisions;
  }

  async #send(): Promise<void> {
    const { api, limits, workspace, journal, signal, wait } = this.#deps;
    const items = sendable([...this.#left.values()], limits);
    await journal?.recordSent(items.map(({ hash }) => hash));
    let open: ProofmarkError[];
    try {
      open = await this.#record(await sendBatch(api, workspace, items, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProofmarkError) || !error.retryable) throw error;
      open = [error];
    }
    const [first] = open;
    if (first === undefined) {
      this.#attempts = 0;
      return;
    }
    this.#attempts += 1;
    const waitMs = Math.max(...open.map((error) => waitBefore(error, this.#attempts)));
    const patienceLeftMs = this.#lastProofMs + this.#deps.patienceMs - Date.now();
    if (waitMs > patienceLeftMs) return this.#giveUp(first);
    const queued = open.flatMap(({ proofId }) => (proofId === null ? [] : [proofId]));
    if (queued.length > 0) await this.#awaitQueued(items, patienceLeftMs);
    else await wait(waitMs, signal);
  }

  /** Records the decisions, and returns the errors of the hashes to send again. */
  async #record(decisions: ReadonlyMap<string, Decision>): Promise<ProofmarkError[]> {
    const open: ProofmarkError[] = [];
    const proofs = new Map<string, Anchored>();
    for (const [hash, decision] of decisions) {
      if ('proof' in decision) proofs.set(hash, decision.proof);
      else if (isOpen(decision.error)) {
        open.push(decision.error);
        this.#decisions.set(hash, decision);
        continue;
      }
      this.#settle(hash, decision);
    }
    await this.#deps.journal?.recordProofs(proofs);
    if (proofs.size > 0) this.#lastProofMs = Date.now();
    return open;
  }

  /** Without any decision the run fails; else the hashes that are left do. */
  #giveUp(error: ProofmarkError): void {
    for (const hash of this.#left.keys()) {
      if (!this.#decisions.has(hash)) throw error;
    }
    this.#left.clear();
  }

  #settle(hash: string, decision: Decision): void {
    this.#decisions.set(hash, decision);
    this.#left.delete(hash);
  }

  /** Settles the hashes that are proven already. True if the key may ask. */
  async #lookUp(hashes: readonly string[]): Promise<boolean> {
    if (hashes.length === 0) return true;
    const { api, workspace, signal, journal } = this.#deps;
    const known = await lookUpHashes(api, workspace, hashes, signal).catch((error) => {
      // Keys of agents may write without reading. Sending a hash again is safe, too.
      if (error instanceof ProofmarkError && error.code === 'SCOPE_NOT_PERMITTED') return null;
      throw error;
    });
    const proofs = new Map<string, Anchored>();
    for (const { hash, proven, proofId, txHash, timestamp } of known ?? []) {
      if (!proven || proofId === null || txHash === null || timestamp === null) continue;
      proofs.set(hash, { proofId, txHash, timestamp, proofNonce: null });
    }
    await journal?.recordProofs(proofs);
    for (const [hash, proof] of proofs) this.#settle(hash, { proof });
    return known !== null;
  }

  /** Asks until none of the hashes is queued. They are sent again afterwards, for their nonces. */
  async #awaitQueued(items: readonly BatchItem[], patienceMs: number): Promise<void> {
    const { api, workspace, signal, wait } = this.#deps;
    const hashes = items.map(({ hash }) => hash).filter((hash) => this.#left.has(hash));
    const endsAtMs = Date.now() + patienceMs;
    let pauseMs = pollMs.first;
    while (Date.now() < endsAtMs) {
      await wait(pauseMs, signal);
      pauseMs = Math.min(pollMs.last, pauseMs * 1.5);
      try {
        const known = await lookUpHashes(api, workspace, hashes, signal);
        if (known.every(({ proven, proofId }) => proven || proofId === null)) return;
      } catch (error) {
        if (!(error instanceof ProofmarkError) || error.status !== 403) throw error;
        // Without the scope, sending the hashes again tells.
        return wait(pollMs.last, signal);
      }
    }
  }
}
