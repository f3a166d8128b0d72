import type { DomainEvent } from '../../src/domain/events.ts';
import { streams } from '../../src/domain/streams.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { LoggedLedgers } from './logged-ledgers.ts';

/** History of one proof in the event log. Times are Unix milliseconds. */
export interface LoggedProof {
  readonly proofId: string;
  readonly fileHash: string;
  /** Hash that its transaction's memo must contain. */
  readonly commitment: string;
  readonly hashScheme: string;
  readonly requestedAt: number;
  readonly queuedAt: number | null;
  readonly anchored: readonly { readonly txHash: string; readonly ledgerIndex: number }[];
  readonly withdrawnAt: number | null;
  /** True if an answer with its nonce was recorded as delivered. */
  readonly nonceDelivered: boolean;
}

/** A recorded signed transaction. `preparedAt` and `settledAt` are log positions. */
export interface LoggedTransaction {
  readonly txHash: string;
  readonly account: string;
  readonly sequence: number;
  /** Null for a gap fill. */
  readonly proofId: string | null;
  readonly preparedAt: number;
  readonly settledAt: number | null;
  /** `replaced`: another transaction with the same Sequence is on the ledger. */
  readonly outcome: 'open' | 'validated' | 'failed' | 'absent' | 'ledgerGone' | 'replaced';
  /** Hash of the transaction with the same Sequence that it replaces; null if it replaces none. */
  readonly replaces: string | null;
}

/** A Sequence allocated by SequencesTaken. `at` is in Unix milliseconds. */
export interface TakenSequence {
  readonly account: string;
  readonly sequence: number;
  readonly proofId: string;
  readonly at: number;
}

const pageSize = 1_000;

/** Folds the whole log, page by page. Throws if the log positions have a gap. */
export class LoggedHistory {
  readonly #proofs = new Map<string, LoggedProof>();
  readonly #transactions = new Map<string, LoggedTransaction>();
  /** Hashes of the open transactions of each Sequence. */
  readonly #open = new Map<string, readonly string[]>();
  readonly #taken: TakenSequence[] = [];
  readonly attesting: LoggedLedgers = new LoggedLedgers();
  #position = 0;

  get proofs(): readonly LoggedProof[] {
    return [...this.#proofs.values()];
  }

  /** Ordered by log position. */
  get transactions(): readonly LoggedTransaction[] {
    return [...this.#transactions.values()];
  }

  get taken(): readonly TakenSequence[] {
    return this.#taken;
  }

  /** True if the outcome of every proof and signed transaction is recorded. */
  get isSettled(): boolean {
    return (
      this.proofs.every(hasOutcome) && this.transactions.every(({ outcome }) => outcome !== 'open')
    );
  }

  /** Reads up to the head of the log. */
  async catchUp(store: Pick<EventStore, 'readLog'>): Promise<void> {
    for (;;) {
      const events = await store.readLog(this.#position, pageSize);
      for (const event of events) {
        if (event.position !== this.#position + 1) {
          throw new Error(`the log has no event ${this.#position + 1}`);
        }
        this.#position = event.position;
        this.#fold(event);
        this.attesting.fold(event);
      }
      if (events.length === 0) return;
    }
  }

  #fold(event: StoredEvent): void {
    const at = Date.parse(event.recordedAt);
    switch (event.type) {
      case 'ProofRequested':
        this.#proofs.set(event.stream, requested(event.data, at));
        break;
      case 'ProofQueued':
        this.#changeProof(event.stream, { queuedAt: at });
        break;
      case 'ProofWithdrawn':
        this.#changeProof(event.stream, { withdrawnAt: at });
        break;
      case 'NonceDelivered':
        this.#changeProof(streams.proof(event.data.proofId), { nonceDelivered: true });
        break;
      case 'AnchorPrepared':
      case 'GapFillPrepared':
        this.#prepared(event);
        break;
      case 'Anchored': {
        const { transactionHash: txHash, ledgerIndex } = event.data;
        const anchored = this.#proofs.get(event.stream)?.anchored ?? [];
        this.#changeProof(event.stream, { anchored: [...anchored, { txHash, ledgerIndex }] });
        this.#settled(txHash, 'validated', event.position);
        break;
      }
      case 'AnchorExpired':
        this.#settled(event.data.transactionHash, event.data.reason, event.position);
        break;
      case 'GapFillSettled':
        this.#settled(event.data.transactionHash, event.data.outcome, event.position);
        break;
      case 'SequencesTaken': {
        const { account, taken } = event.data;
        const forProofs = taken.filter((one) => 'proofId' in one);
        this.#taken.push(...forProofs.map((one) => ({ account, ...one, at })));
        break;
      }
    }
  }

  #prepared(
    event: StoredEvent<Extract<DomainEvent, { type: 'AnchorPrepared' | 'GapFillPrepared' }>>,
  ): void {
    const { transactionHash: txHash, account, sequence, replaces } = event.data;
    const proofId = this.#proofs.get(event.stream)?.proofId ?? null;
    const open = { preparedAt: event.position, settledAt: null, outcome: 'open' } as const;
    this.#transactions.set(txHash, { txHash, account, sequence, proofId, replaces, ...open });
    const name = sequenceOf({ account, sequence });
    // Without `replaces` it is no replacement: the audit reports a Sequence that is used twice.
    const before = replaces === null ? [] : (this.#open.get(name) ?? []);
    this.#open.set(name, [...before, txHash]);
  }

  #settled(txHash: string, outcome: LoggedTransaction['outcome'], settledAt: number): void {
    const known = this.#transactions.get(txHash);
    if (known === undefined)
      throw new Error(`the log settles transaction ${txHash} without its signature on record`);
    if (known.outcome !== 'open') throw new Error(`the log settles transaction ${txHash} twice`);
    this.#transactions.set(txHash, { ...known, outcome, settledAt });
    // One fate settles all open transactions of a Sequence, of which each replaces the one before.
    const isUsed = outcome === 'validated' || outcome === 'failed';
    const others = this.#open.get(sequenceOf(known)) ?? [];
    this.#open.delete(sequenceOf(known));
    for (const hash of others) {
      const other = this.#transactions.get(hash);
      if (other === undefined || hash === txHash) continue;
      const fate = isUsed ? 'replaced' : outcome;
      this.#transactions.set(hash, { ...other, outcome: fate, settledAt });
    }
  }

  #changeProof(stream: string, change: Partial<LoggedProof>): void {
    const proof = this.#proofs.get(stream);
    if (proof === undefined) throw new Error(`stream ${stream} does not begin with ProofRequested`);
    this.#proofs.set(stream, { ...proof, ...change });
  }
}

function requested(
  data: Extract<DomainEvent, { type: 'ProofRequested' }>['data'],
  requestedAt: number,
): LoggedProof {
  const { proofId, fileHash, commitment, hashScheme } = data;
  return {
    proofId,
    fileHash,
    commitment: commitment ?? fileHash,
    hashScheme,
    requestedAt,
    queuedAt: null,
    anchored: [],
    withdrawnAt: null,
    nonceDelivered: false,
  };
}

export function hasOutcome(proof: LoggedProof): boolean {
  return proof.anchored.length > 0 || proof.withdrawnAt !== null;
}

function sequenceOf({
  account,
  sequence,
}: Pick<LoggedTransaction, 'account' | 'sequence'>): string {
  return `${account} ${sequence}`;
}
