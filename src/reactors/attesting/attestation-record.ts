import { bytesToHex } from '@noble/hashes/utils.js';
import type { AttestationEvent } from '../../domain/attestation/events.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import type { ReadLedger } from '../../ledger/remember-ledgers.ts';
import { transactionLeaves } from '../../ledger/transaction-tree.ts';
import { encodeBase64 } from '../../verifier/evidence/base64.ts';
import { packChain } from '../../verifier/evidence/header-chain.ts';
import type { LedgerHeader } from '../../verifier/evidence/ledger-header.ts';
import type { AttestedLedger, AttestingFold, PendingLedger } from './attesting-fold.ts';
import type { Quorum } from './collected-validations.ts';
import type { KnownValidators } from './known-validators.ts';
import { attestedLedgerOf } from './recorded-attestations.ts';

const meta = { actor: 'attesting' } as const;

interface RecordDeps {
  readonly store: EventStore;
  /** The ledger with this hash (upper-case hex); null if no server has it. */
  readonly ledger: ReadLedger;
  readonly known: Pick<KnownValidators, 'newerManifests'>;
  readonly fold: AttestingFold;
  /** Called when this process attested or linked a pending ledger, with `since` of the ledger. */
  readonly onAttested?: (since: string) => void;
}

/**
 * Appends the attestations of ledgers. Each call may fail at any point and be repeated: a ledger's
 * stream takes one event.
 */
export class AttestationRecord {
  readonly #deps: RecordDeps;

  constructor(deps: RecordDeps) {
    this.#deps = deps;
  }

  /** The ledger of this index that is attested on record; null if none is. */
  async find({ ledgerId, ledgerIndex }: PendingLedger): Promise<AttestedLedger | null> {
    const stream = streams.attestation(ledgerId, ledgerIndex);
    const recorded = await this.#deps.store.readLast(stream);
    return recorded && attestedLedgerOf(recorded);
  }

  /** Leaves of the ledger's transaction tree, base64; null if no server has the ledger now. */
  async leavesOf({
    ledgerIndex,
    ledgerHash,
  }: Pick<PendingLedger, 'ledgerIndex' | 'ledgerHash'>): Promise<string | null> {
    const ledger = await this.#deps.ledger(ledgerIndex, ledgerHash);
    if (ledger === null) return null;
    const items = ledger.transactions.map(({ hash, blob, metadata }) => ({
      hash: Buffer.from(hash, 'hex'),
      blob: Buffer.from(blob, 'hex'),
      metadata: Buffer.from(metadata, 'hex'),
    }));
    return transactionLeaves(items).toString('base64');
  }

  async attested(
    ledger: {
      readonly ledgerId: string;
      readonly header: LedgerHeader;
      readonly leaves: string;
    },
    { lists, validations }: Quorum,
  ): Promise<void> {
    const { known, fold } = this.#deps;
    const { ledgerId, header, leaves } = ledger;
    const { index } = header;
    const ledgerHash = header.hash.toUpperCase();
    const manifests = known.newerManifests(validations.keys());
    const isFirst = await this.#append({
      type: 'LedgerAttested',
      data: {
        ...{ ledgerId, ledgerIndex: index, ledgerHash },
        ledgerHeader: bytesToHex(header.bytes).toUpperCase(),
        leaves,
        validations: [...validations.values()].map(({ bytes }) => encodeBase64(bytes)),
        manifests: manifests.map(({ bytes }) => encodeBase64(bytes)),
        validatorLists: lists.map(({ publisherKey, sequence }) => ({ publisherKey, sequence })),
      },
    });
    if (isFirst) fold.attested({ ledgerId, ledgerIndex: index, ledgerHash, attestedIndex: index });
  }

  /** `later` are the headers after `first`, ascending, up to the one of `next`. */
  async linked(
    ledger: PendingLedger & { readonly leaves: string },
    next: AttestedLedger,
    { first, later }: { readonly first: LedgerHeader; readonly later: readonly LedgerHeader[] },
  ): Promise<void> {
    const { ledgerId, ledgerIndex, ledgerHash, leaves } = ledger;
    const { attestedIndex } = next;
    const isFirst = await this.#append({
      type: 'LedgerLinked',
      data: {
        ...{ ledgerId, ledgerIndex, ledgerHash, leaves, attestedIndex },
        next: { ledgerIndex: next.ledgerIndex, ledgerHash: next.ledgerHash },
        links: encodeBase64(packChain(first, later)),
      },
    });
    if (isFirst) this.#deps.fold.attested({ ledgerId, ledgerIndex, ledgerHash, attestedIndex });
  }

  /** False if another process was first: then the log says how the ledger is attested. */
  async #append(event: AttestationEvent): Promise<boolean> {
    const { ledgerId, ledgerIndex } = event.data;
    const stream = streams.attestation(ledgerId, ledgerIndex);
    const entry = { organisationId: null, stream, expectedVersion: 0, events: [event] };
    const { fold, store, onAttested } = this.#deps;
    const since = fold.sinceOf(event.data);
    try {
      await store.append([entry], meta);
      if (since !== null) onAttested?.(since);
      return true;
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
      return false;
    }
  }
}
