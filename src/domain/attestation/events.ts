import type { DefinitionsOf, EventOf } from '../event.ts';
import type { Network } from '../network.ts';

/**
 * A quorum of listed validators signed a validated ledger. Hashes and the header are upper-case hex,
 * validations and manifests base64. Validations are sent once and are in no server's history.
 */
export type LedgerAttested = EventOf<
  'LedgerAttested',
  {
    readonly ledgerId: string;
    readonly ledgerIndex: number;
    readonly ledgerHash: string;
    readonly ledgerHeader: string;
    readonly leaves: Leaves;
    /** One of each listed validator that was heard, at least a quorum. */
    readonly validations: readonly string[];
    /** Of the validators that signed with a newer key than the one in the lists. */
    readonly manifests: readonly string[];
    /** Every list by which the validations are a quorum. */
    readonly validatorLists: readonly ListReference[];
  }
>;

/**
 * The transaction tree of a ledger without its transactions: of each its hash and the hash of its
 * leaf, ascending, 64 bytes, in base64. The path from any of them to the header's root follows.
 */
type Leaves = string;

/** A published list that is on record (`ValidatorListPublished`). */
export interface ListReference {
  /** Master key of the publisher, upper-case hex. */
  readonly publisherKey: string;
  readonly sequence: number;
}

/**
 * The validations of a ledger were missed, but it is an ancestor of an attested ledger. `links` are
 * the headers from the one after it to `next`, in base64, as `src/verifier/evidence/header-chain.ts`
 * packs them. `next` is attested itself, or linked in the same way.
 */
export type LedgerLinked = EventOf<
  'LedgerLinked',
  {
    readonly ledgerId: string;
    readonly ledgerIndex: number;
    readonly ledgerHash: string;
    readonly leaves: Leaves;
    readonly next: { readonly ledgerIndex: number; readonly ledgerHash: string };
    readonly links: string;
    /** Index of the ledger with validations at the end of all links. */
    readonly attestedIndex: number;
  }
>;

export type AttestationEvent = LedgerAttested | LedgerLinked;

/** A publisher's list of validators, as it was published and verified. Keys are upper-case hex. */
export type ValidatorListPublished = EventOf<
  'ValidatorListPublished',
  {
    readonly network: Network;
    readonly publisherKey: string;
    readonly sequence: number;
    /** Manifest of the publisher, base64. */
    readonly manifest: string;
    /** Base64. */
    readonly blob: string;
    /** Hex. */
    readonly signature: string;
  }
>;

/** A listed validator's manifest that is newer than the one in its list: base64, verified. */
export type ValidatorManifestPublished = EventOf<
  'ValidatorManifestPublished',
  { readonly network: Network; readonly manifest: string }
>;

/**
 * A publisher revoked its key: base64, verified. Other manifests of publishers are recorded with
 * their lists.
 */
export type PublisherRevoked = EventOf<
  'PublisherRevoked',
  { readonly network: Network; readonly publisherKey: string; readonly manifest: string }
>;

export type ValidatorEvent = ValidatorListPublished | ValidatorManifestPublished | PublisherRevoked;

export const attestationEvents: DefinitionsOf<AttestationEvent | ValidatorEvent> = {
  LedgerAttested: {
    schema: 1,
    clear: [
      ...(['ledgerId', 'ledgerIndex', 'ledgerHash', 'ledgerHeader', 'leaves'] as const),
      ...(['validations', 'manifests', 'validatorLists'] as const),
    ],
  },
  LedgerLinked: {
    schema: 1,
    clear: ['ledgerId', 'ledgerIndex', 'ledgerHash', 'leaves', 'next', 'links', 'attestedIndex'],
  },
  ValidatorListPublished: {
    schema: 1,
    clear: ['network', 'publisherKey', 'sequence', 'manifest', 'blob', 'signature'],
  },
  PublisherRevoked: { schema: 1, clear: ['network', 'publisherKey', 'manifest'] },
  ValidatorManifestPublished: { schema: 1, clear: ['network', 'manifest'] },
};
