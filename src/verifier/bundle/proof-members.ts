import { networks } from '../../domain/network.ts';
import { memoFormat, proofMemoType } from '../../domain/proof/memo.ts';
import {
  choice,
  described,
  either,
  flag,
  integer,
  nothing,
  nullable,
  object,
  text,
} from './form.ts';
import { address, bytes, lowerHash, time, uint32, upperHash, words } from './notations.ts';

const certificate = described(
  object({
    templateVersion: described(
      choice(1),
      'Always 1, whichever template the pages of the certificate have.',
    ),
    proofId: text({ pattern: /^[0-9A-HJKMNP-TV-Z]{26}$/ }),
    issuedAt: time,
    organisationName: words(1_000),
    workspaceName: words(1_000),
  }),
  'Proof id, time of issue and issuer: claims that the ledger does not confirm.',
);

const file = object({
  fileName: nullable(words(1_000)),
  fileSizeBytes: nullable(integer(0)),
  mimeType: nullable(words(1_000)),
  fileHash: described(lowerHash, 'SHA-256 of the file.'),
});

const plainCommitment = object({
  hashScheme: choice('sha256-plain-v1'),
  commitment: nothing,
  nonce: nothing,
});

const saltedCommitment = object({
  hashScheme: choice('hmac-sha256-nonce-v2', 'hmac-sha256-nonce-v3'),
  commitment: described(
    lowerHash,
    'HMAC-SHA-256 with the bytes of the nonce as key and the bytes of fileHash as message.',
  ),
  nonce: described(nullable(lowerHash), 'Confidential; null in the form for sharing.'),
});

const revision = object({
  number: nullable(integer(1)),
  previousTransactionHash: described(
    nullable(upperHash),
    'Transaction hash of the previous revision, as in the memo.',
  ),
});

const anchor = described(
  object({
    network: choice(...networks),
    standalone: described(flag, 'True for a development ledger, which has no evidential value.'),
    account: text({ maxLength: 35, pattern: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/ }),
    transactionHash: upperHash,
    ledgerIndex: uint32,
    ledgerHash: upperHash,
    transactionIndex: uint32,
    closeTime: described(
      uint32,
      'Close time of the ledger: seconds since 2000-01-01T00:00:00Z, rounded by the ledger.',
    ),
    closeTimeIso: time,
  }),
  'The transaction, and the ledger that holds it.',
);

const evidence = described(
  object({
    memo: object({
      type: choice(proofMemoType),
      format: choice(memoFormat),
      data: words(1_024),
    }),
    blob: described(bytes(4_096), 'The signed transaction.'),
    metadata: described(bytes(32_768), "The transaction's metadata, binary."),
    ledgerHeader: described(bytes(118), 'The header of the ledger, binary.'),
  }),
  'Evidence from the ledger: the memo as text, the rest in the binary forms of the ledger.',
);

/** Members of bundles of every version. */
export const proofMembers = {
  certificate,
  file,
  commitment: either('hashScheme', plainCommitment, saltedCommitment),
  revision,
  anchor,
  evidence,
};

/** Addresses in bundles of versions 1 and 2. */
export const firstAddresses = object({
  verifyUrl: described(address, 'Page of the service that verifies the transaction.'),
  publicApiUrl: address,
  explorerUrl: address,
});

/** Addresses in bundles since version 3. */
export const addresses = object({
  verifyUrl: described(address, 'The transaction in a public explorer of the ledger.'),
  verifyPageUrl: described(address, 'Page of the service that verifies the transaction.'),
  publicApiUrl: address,
});
