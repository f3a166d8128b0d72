import type {
  AttestationEvent,
  ValidatorListPublished,
} from '../../src/domain/attestation/events.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';

/** A ledger with an anchor of ours in the event log. Times are Unix milliseconds. */
export interface LoggedLedger {
  readonly ledgerIndex: number;
  readonly ledgerHash: string;
  readonly ledgerHeader: string;
  /** When each of the proofs in it was recorded as anchored. */
  readonly anchoredAt: readonly number[];
  readonly attestation: LoggedAttestation | null;
}

export interface LoggedAttestation {
  readonly at: number;
  readonly event: AttestationEvent;
}

type List = ValidatorListPublished['data'];

/** Ledgers with anchors and their attestations, folded from the log. */
export class LoggedLedgers {
  readonly #anchored = new Map<string, Omit<LoggedLedger, 'attestation'>>();
  readonly #attestations = new Map<string, LoggedAttestation>();
  readonly #lists: List[] = [];

  get ledgers(): readonly LoggedLedger[] {
    return [...this.#anchored].map(([key, ledger]) => {
      return { ...ledger, attestation: this.#attestations.get(key) ?? null };
    });
  }

  /** All attestations by index, also of ledgers without an anchor of ours. */
  get attestations(): ReadonlyMap<number, LoggedAttestation> {
    const all = [...this.#attestations.values()];
    return new Map(all.map((one) => [one.event.data.ledgerIndex, one]));
  }

  get lists(): readonly List[] {
    return this.#lists;
  }

  get areAttested(): boolean {
    return [...this.#anchored.keys()].every((key) => this.#attestations.has(key));
  }

  fold(event: StoredEvent): void {
    const at = Date.parse(event.recordedAt);
    switch (event.type) {
      case 'Anchored':
      case 'CheckpointAnchored': {
        const { ledgerIndex, ledgerHash, ledgerHeader } = event.data;
        const before = this.#anchored.get(nameOf(event.data))?.anchoredAt ?? [];
        const anchoredAt = event.type === 'Anchored' ? [...before, at] : before;
        const ledger = { ledgerIndex, ledgerHash, ledgerHeader, anchoredAt };
        this.#anchored.set(nameOf(event.data), ledger);
        break;
      }
      case 'LedgerAttested':
      case 'LedgerLinked':
        this.#attestations.set(nameOf(event.data), { at, event });
        break;
      case 'ValidatorListPublished':
        this.#lists.push(event.data);
        break;
    }
  }
}

function nameOf({ ledgerId, ledgerHash }: { ledgerId: string; ledgerHash: string }): string {
  return `${ledgerId} ${ledgerHash}`;
}
