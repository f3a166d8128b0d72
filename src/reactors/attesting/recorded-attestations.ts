import type { AttestationEvent } from '../../domain/attestation/events.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { maxChain } from '../../verifier/evidence/limits.ts';
import type { AttestedLedger, PendingLedger } from './attesting-fold.ts';

/** Streams in one query. An event may have 60 kB. */
const pageLedgers = 128;

/** Indexes without an attestation on record, both inclusive. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Finds attestations on record that the fold has forgotten, or that it never saw. */
export class RecordedAttestations {
  readonly #store: Pick<EventStore, 'readStreams'>;
  /** The last gap that was found in each chain: ledgers near to each other ask for the same one. */
  readonly #gaps = new Map<string, Gap>();

  constructor(store: Pick<EventStore, 'readStreams'>) {
    this.#store = store;
  }

  /** An attested ledger that a chain of headers from this one can reach; null if none is on record. */
  async nextInReach({ ledgerId, ledgerIndex }: PendingLedger): Promise<AttestedLedger | null> {
    const last = ledgerIndex + maxChain;
    let from = ledgerIndex + 1;
    while (from <= last) {
      const gap = this.#gaps.get(ledgerId) ?? { from: last + 1, to: last };
      if (gap.from <= from && from <= gap.to) {
        from = gap.to + 1;
        continue;
      }
      // A whole page, even beyond the last one in reach: ledgers given up next ask for the rest of it.
      const before = gap.from > from ? gap.from : Number.POSITIVE_INFINITY;
      const to = Math.min(from + pageLedgers, before) - 1;
      const recorded = await this.#read(ledgerId, { from, to });
      const found = recorded.find(({ attestedIndex }) => attestedIndex <= last);
      if (found !== undefined) return found;
      if (recorded.length === 0) this.#note(ledgerId, { from, to });
      from = to + 1;
    }
    return null;
  }

  /** Attested ledgers on record, ascending. */
  async #read(ledgerId: string, { from, to }: Gap): Promise<readonly AttestedLedger[]> {
    const names = Array.from({ length: to - from + 1 }, (_, nth) =>
      streams.attestation(ledgerId, from + nth),
    );
    const found = await this.#store.readStreams(names);
    return names.flatMap((name) => (found.get(name) ?? []).map(attestedLedgerOf));
  }

  #note(ledgerId: string, { from, to }: Gap): void {
    const gap = this.#gaps.get(ledgerId);
    const isNext = gap !== undefined && from <= gap.to + 1 && gap.from <= to + 1;
    const joined = { from: Math.min(from, gap?.from ?? from), to: Math.max(to, gap?.to ?? to) };
    this.#gaps.set(ledgerId, isNext ? joined : { from, to });
  }
}

export function attestedLedgerOf({ type, data }: AttestationEvent): AttestedLedger {
  const { ledgerId, ledgerIndex, ledgerHash } = data;
  const attestedIndex = type === 'LedgerLinked' ? data.attestedIndex : ledgerIndex;
  return { ledgerId, ledgerIndex, ledgerHash, attestedIndex };
}
