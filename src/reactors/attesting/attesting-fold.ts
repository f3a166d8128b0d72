import type { StoredEvent } from '../../event-store/stored-event.ts';

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

/** Attested ledgers to link to. Older ones are forgotten if nothing older is pending. */
const keptAttested = 64;

/** Ledgers of a network that need the word of its validators, folded from the log. */
export class AttestingFold {
  /** By place and hash: a server may show a forged ledger of the same index before the true one. */
  readonly #pending = new Map<string, PendingLedger>();
  #attested = new Map<string, AttestedLedger>();
  position: number;

  constructor(position: number, { pending, attested }: AttestingState) {
    this.position = position;
    for (const each of pending) this.#pending.set(nameOf(each), each);
    for (const each of attested) this.#attested.set(keyOf(each), each);
  }

  get state(): AttestingState {
    return { pending: [...this.#pending.values()], attested: [...this.#attested.values()] };
  }

  /** Ascending. */
  get pending(): readonly PendingLedger[] {
    return [...this.#pending.values()].sort((a, b) => a.ledgerIndex - b.ledgerIndex);
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Time of the oldest record that waits for attestation, ISO 8601; null without any. */
  get oldestSince(): string | null {
    const [oldest = null] = [...this.#pending.values()].map(({ since }) => since).sort();
    return oldest;
  }

  /** Time of the first transaction's record in a pending ledger, ISO 8601; null if it is settled. */
  sinceOf(ledger: LedgerName): string | null {
    return this.#pending.get(nameOf(ledger))?.since ?? null;
  }

  observe(events: readonly StoredEvent[], position: number): void {
    for (const event of events) this.#observe(event);
    this.position = position;
    this.#prune();
  }

  /** The nearest attested or linked ledger after this one. */
  nextAttested(ledgerId: string, ledgerIndex: number): AttestedLedger | null {
    let nearest: AttestedLedger | null = null;
    for (const each of this.#attested.values()) {
      if (each.ledgerId !== ledgerId || each.ledgerIndex <= ledgerIndex) continue;
      if (nearest === null || each.ledgerIndex < nearest.ledgerIndex) nearest = each;
    }
    return nearest;
  }

  /** Removes a ledger that is attested on record, or that nothing can attest any more. */
  drop(ledger: PendingLedger): void {
    this.#pending.delete(nameOf(ledger));
  }

  attested(ledger: AttestedLedger): void {
    this.#attested.set(keyOf(ledger), ledger);
    this.#pending.delete(nameOf(ledger));
  }

  #observe(event: StoredEvent): void {
    if (event.type === 'Anchored' || event.type === 'CheckpointAnchored') {
      const { ledgerId, ledgerIndex, ledgerHash, ledgerHeader, closeTime } = event.data;
      const [key, name] = [keyOf(event.data), nameOf(event.data)];
      if (this.#attested.get(key)?.ledgerHash === ledgerHash || this.#pending.has(name)) return;
      const since = event.recordedAt;
      const ledger = { ledgerId, ledgerIndex, ledgerHash, ledgerHeader, closeTime, since };
      this.#pending.set(name, ledger);
    } else if (event.type === 'LedgerAttested') {
      const { ledgerId, ledgerIndex, ledgerHash } = event.data;
      this.attested({ ledgerId, ledgerIndex, ledgerHash, attestedIndex: ledgerIndex });
    } else if (event.type === 'LedgerLinked') {
      const { ledgerId, ledgerIndex, ledgerHash, attestedIndex } = event.data;
      this.attested({ ledgerId, ledgerIndex, ledgerHash, attestedIndex });
    } else if (event.type === 'LedgerGone') this.#forget(event.data.ledgerId);
  }

  /** Forgets a chain that does not exist any more, such as that of a test network before a reset. */
  #forget(gone: string): void {
    for (const kept of [this.#pending, this.#attested])
      for (const [key, { ledgerId }] of kept) if (ledgerId === gone) kept.delete(key);
  }

  #prune(): void {
    if (this.#attested.size <= 2 * keptAttested) return;
    const oldest = Math.min(...[...this.#pending.values()].map((each) => each.ledgerIndex));
    const newest = [...this.#attested.values()].sort((a, b) => b.ledgerIndex - a.ledgerIndex);
    // Of those that something pending can be linked to, the nearest ones are the oldest.
    const useful = newest.filter(({ ledgerIndex }) => ledgerIndex > oldest).slice(-keptAttested);
    const kept = new Set([...newest.slice(0, keptAttested), ...useful]);
    this.#attested = new Map([...kept].map((each) => [keyOf(each), each]));
  }
}

type LedgerName = Pick<PendingLedger, 'ledgerId' | 'ledgerIndex' | 'ledgerHash'>;

function nameOf(ledger: LedgerName): string {
  return `${keyOf(ledger)} ${ledger.ledgerHash}`;
}

function keyOf({ ledgerId, ledgerIndex }: Pick<PendingLedger, 'ledgerId' | 'ledgerIndex'>): string {
  return `${ledgerId} ${ledgerIndex}`;
}
