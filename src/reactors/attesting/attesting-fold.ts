import type { StoredEvent } from '../../event-store/stored-event.ts';
import { maxChain } from '../../verifier/evidence/limits.ts';
import { maxLedgers } from './collected-validations.ts';
import { LedgersByIndex } from './ledgers-by-index.ts';

/** A ledger in which we have a transaction, not attested yet. */
export interface PendingLedger {
  readonly ledgerId: string;
  readonly ledgerIndex: number;
  /** Upper-case hex, like the header. */
  readonly ledgerHash: string;
  readonly ledgerHeader: string;
  readonly closeTime: number;
  /** Time of the first transaction's record, ISO 8601. */
  readonly since: string;
}

/** An attested ledger, or one that is linked to one. */
export interface AttestedLedger {
  readonly ledgerId: string;
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
  /** Index of the ledger with validations; the same index unless it is linked. */
  readonly attestedIndex: number;
}

/** State of the fold, kept in the reactor's checkpoint. */
export interface AttestingState {
  readonly pending: readonly PendingLedger[];
  readonly attested: readonly AttestedLedger[];
}

export const attestingTypes = [
  ...['Anchored', 'CheckpointAnchored', 'LedgerAttested', 'LedgerLinked'],
  'LedgerGone',
];

/** Newest attested ledgers that are kept although nothing pending can be linked to them. */
const keptAttested = 64;

/** A server may show ledgers that are forged, with any index, but not so many at once. */
const mostForged = 8;

/** The known ledgers of one chain. */
interface Chain {
  /** Several of one index: a server may show a forged ledger before the true one. */
  readonly pending: LedgersByIndex<PendingLedger>;
  /** One of each index. */
  readonly attested: LedgersByIndex<AttestedLedger>;
  /** Attested ledgers that were left when they were last pruned. */
  prunedTo: number;
}

/** Ledgers of a network that need the word of its validators, folded from the log. */
export class AttestingFold {
  /** By ledger id. */
  readonly #chains = new Map<string, Chain>();
  /** By hash, the same as in the chains. */
  readonly #pending = new Map<string, PendingLedger[]>();
  #ascending: readonly PendingLedger[] | null = null;
  #revision = 0;
  position: number;

  constructor(position: number, { pending, attested }: AttestingState) {
    this.position = position;
    for (const each of pending) this.#await(each);
    for (const each of attested) this.#remember(each);
  }

  get state(): AttestingState {
    const attested = [...this.#chains.values()].flatMap((chain) => chain.attested.ascending);
    return { pending: this.pending, attested };
  }

  /** Changes whenever the state does. */
  get revision(): number {
    return this.#revision;
  }

  /** Ascending within each chain. */
  get pending(): readonly PendingLedger[] {
    this.#ascending ??= [...this.#chains.values()].flatMap(({ pending }) => pending.ascending);
    return this.#ascending;
  }

  get size(): number {
    return this.pending.length;
  }

  /** Time of the oldest record that waits for attestation, ISO 8601; null without any. */
  get oldestSince(): string | null {
    let oldest: string | null = null;
    for (const { since } of this.pending) if (oldest === null || since < oldest) oldest = since;
    return oldest;
  }

  /** Pending ledgers with this hash (upper-case hex). */
  withHash(ledgerHash: string): readonly PendingLedger[] {
    return this.#pending.get(ledgerHash) ?? [];
  }

  /** Time of the first transaction's record in a pending ledger, ISO 8601; null if it is settled. */
  sinceOf(ledger: LedgerName): string | null {
    return this.#chains.get(ledger.ledgerId)?.pending.find(ledger)?.since ?? null;
  }

  observe(events: readonly StoredEvent[], position: number): void {
    for (const event of events) this.#observe(event);
    this.position = position;
    for (const chain of this.#chains.values()) this.#prune(chain);
  }

  /** The nearest attested or linked ledger after this one. */
  nextAttested(ledgerId: string, ledgerIndex: number): AttestedLedger | null {
    return this.#chains.get(ledgerId)?.attested.after(ledgerIndex) ?? null;
  }

  /** The nearest attested or linked ledger before this one. */
  lastAttested(ledgerId: string, ledgerIndex: number): AttestedLedger | null {
    return this.#chains.get(ledgerId)?.attested.before(ledgerIndex) ?? null;
  }

  /**
   * Pending ledgers so old that no ledger attested from now on can prove them, without a known
   * attested one that can. Ascending within each chain.
   */
  outOfReach(): readonly PendingLedger[] {
    return [...this.#chains.values()].flatMap((chain) => {
      const before = newestOf(chain) - maxChain - maxLedgers;
      return chain.pending.between(0, before).filter((ledger) => !isInReach(ledger, chain));
    });
  }

  /** Removes a ledger that is attested on record, or that nothing can attest any more. */
  drop(ledger: LedgerName): void {
    if (!this.#chains.get(ledger.ledgerId)?.pending.remove(ledger)) return;
    const others = this.withHash(ledger.ledgerHash).filter((one) => !isSame(one, ledger));
    if (others.length > 0) this.#pending.set(ledger.ledgerHash, others);
    else this.#pending.delete(ledger.ledgerHash);
    this.#changed();
  }

  attested(ledger: AttestedLedger): void {
    this.#remember(ledger);
    this.drop(ledger);
  }

  #observe(event: StoredEvent): void {
    if (event.type === 'Anchored' || event.type === 'CheckpointAnchored') {
      const { ledgerId, ledgerIndex, ledgerHash, ledgerHeader, closeTime } = event.data;
      const { pending, attested } = this.#chainOf(ledgerId);
      if (attested.find(event.data) !== null || pending.find(event.data) !== null) return;
      const since = event.recordedAt;
      this.#await({ ledgerId, ledgerIndex, ledgerHash, ledgerHeader, closeTime, since });
    } else if (event.type === 'LedgerAttested') {
      const { ledgerId, ledgerIndex, ledgerHash } = event.data;
      this.attested({ ledgerId, ledgerIndex, ledgerHash, attestedIndex: ledgerIndex });
    } else if (event.type === 'LedgerLinked') {
      const { ledgerId, ledgerIndex, ledgerHash, attestedIndex } = event.data;
      this.attested({ ledgerId, ledgerIndex, ledgerHash, attestedIndex });
    } else if (event.type === 'LedgerGone') this.#forget(event.data.ledgerId);
  }

  #await(ledger: PendingLedger): void {
    this.#chainOf(ledger.ledgerId).pending.add(ledger);
    this.#pending.set(ledger.ledgerHash, [...this.withHash(ledger.ledgerHash), ledger]);
    this.#changed();
  }

  #remember(ledger: AttestedLedger): void {
    const { attested } = this.#chainOf(ledger.ledgerId);
    for (const known of attested.at(ledger.ledgerIndex)) attested.remove(known);
    attested.add(ledger);
    this.#changed();
  }

  /** Forgets a chain that does not exist any more, such as that of a test network before a reset. */
  #forget(gone: string): void {
    const chain = this.#chains.get(gone);
    for (const ledger of [...(chain?.pending.ascending ?? [])]) this.drop(ledger);
    this.#chains.delete(gone);
    this.#changed();
  }

  /** Keeps the newest attested ledgers, and the nearest ones of each pending ledger. */
  #prune(chain: Chain): void {
    const { attested, pending } = chain;
    if (attested.size <= 2 * Math.max(keptAttested, chain.prunedTo)) return;
    const kept = new Set(attested.ascending.slice(-keptAttested));
    for (const { ledgerIndex } of pending.ascending) {
      const around = [
        attested.before(ledgerIndex),
        attested.after(ledgerIndex - 1),
        attested.after(ledgerIndex),
      ];
      for (const near of around) if (near !== null) kept.add(near);
    }
    attested.keep(kept);
    chain.prunedTo = attested.size;
    this.#changed();
  }

  #chainOf(ledgerId: string): Chain {
    const known = this.#chains.get(ledgerId);
    if (known !== undefined) return known;
    const [pending, attested] = [
      new LedgersByIndex<PendingLedger>(),
      new LedgersByIndex<AttestedLedger>(),
    ];
    const chain = { pending, attested, prunedTo: 0 };
    this.#chains.set(ledgerId, chain);
    return chain;
  }

  #changed(): void {
    this.#ascending = null;
    this.#revision += 1;
  }
}

type LedgerName = Pick<PendingLedger, 'ledgerId' | 'ledgerIndex' | 'ledgerHash'>;

function isSame(one: LedgerName, other: LedgerName): boolean {
  return one.ledgerId === other.ledgerId && one.ledgerIndex === other.ledgerIndex;
}

/** Index that the chain has reached: validators signed it, or several pending ledgers show it. */
function newestOf({ pending, attested }: Chain): number {
  const shown = pending.ascending.at(-mostForged)?.ledgerIndex ?? 0;
  return Math.max(shown, attested.newest?.ledgerIndex ?? 0);
}

/** True if the chain of headers to a known attested ledger is short enough. */
function isInReach({ ledgerIndex }: PendingLedger, { attested }: Chain): boolean {
  const last = ledgerIndex + maxChain;
  const later = attested.between(ledgerIndex + 1, last + 1);
  return later.some(({ attestedIndex }) => attestedIndex <= last);
}
