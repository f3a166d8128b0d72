import { networks } from '../../domain/network.ts';
import { memoFormat, proofMemoType } from '../../domain/proof/memo.ts';
import {
  linkBytes,
  maxBase64,
  maxChain,
  maxListBytes,
  maxManifestBytes,
  maxPathBytes,
  maxTokenBytes,
  maxValidationBytes,
  maxValidators,
} from '../evidence/limits.ts';
import {
  choice,
  described,
  either,
  flag,
  integer,
  list,
  nothing,
  nullable,
  object,
  text,
  type ValueOf,
} from './form.ts';

export const bundleFormat = 'proofmark/bundle';

/** Hash in lower-case hex, the notation of this service. */
const lowerHash = text({ pattern: /^[a-f0-9]{64}$/ });
/** Hash in upper-case hex, the notation of the ledger. */
const upperHash = text({ pattern: /^[A-F0-9]{64}$/ });
const bytes = (max: number) => text({ maxLength: 2 * max, pattern: /^(?:[A-F0-9]{2})+$/ });
const words = (maxLength: number) => text({ maxLength });
const uint32 = integer(0, 0xffff_ffff);
/** URL of a web page, never opened by the verifier. */
const address = text({ maxLength: 2_048, pattern: /^https?:\/\/\S+$/ });

/** Valid calendar date and time in UTC, in the format of RFC 3339. */
const time = text({
  maxLength: 30,
  format: 'date-time',
  pattern:
    /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z))$/,
});

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

const firstAddresses = object({
  verifyUrl: described(address, 'Page of the service that verifies the transaction.'),
  publicApiUrl: address,
  explorerUrl: address,
});

const addresses = object({
  verifyUrl: described(address, 'The transaction in a public explorer of the ledger.'),
  verifyPageUrl: described(address, 'Page of the service that verifies the transaction.'),
  publicApiUrl: address,
});

const proof = {
  certificate,
  file,
  commitment: either('hashScheme', plainCommitment, saltedCommitment),
  revision,
  anchor,
  evidence,
};

const checksum = described(
  lowerHash,
  'SHA-256 of the canonical JSON (RFC 8785) of all other members. It detects damage, not forgery.',
);

const ulid = text({ pattern: /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/ });

const log = described(
  object({
    event: described(
      object({
        v: choice(1),
        eventId: ulid,
        organisationId: ulid,
        stream: words(100),
        version: integer(1),
        type: choice('Anchored'),
        schema: choice(1),
        recordedAt: time,
        dataHash: described(
          lowerHash,
          'SHA-256 of the data of the event (the anchoring) in canonical JSON.',
        ),
        metaHash: lowerHash,
      }),
      'The leaf is the SHA-256 of a zero byte followed by this event in canonical JSON.',
    ),
    ledgerId: described(words(100), 'Name of the ledger in the log of the issuer.'),
    leafIndex: integer(0),
    hashes: list(lowerHash, 64),
    checkpoint: described(words(8_192), 'C2SP signed note, as published.'),
  }),
  "Evidence that the anchoring is in the issuer's published log.",
);

const base64 = (max: number) =>
  text({
    maxLength: maxBase64(max),
    pattern: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  });

const attestation = described(
  object({
    path: described(
      base64(maxPathBytes),
      "Path from the transaction to the root of the ledger's transaction tree.",
    ),
    chain: described(
      base64(maxChain * linkBytes),
      'Headers from the ledger of the anchor to the one that the validations are of; empty if they are of that ledger itself.',
    ),
    validations: described(list(base64(maxValidationBytes), maxValidators), 'A quorum.'),
    manifests: described(
      list(base64(maxManifestBytes), maxValidators),
      'Manifests of listed validators that are newer than the list.',
    ),
    validatorList: described(
      object({
        manifest: base64(maxManifestBytes),
        blob: base64(maxListBytes),
        signature: text({ maxLength: 144, pattern: /^(?:[A-F0-9]{2})+$/ }),
      }),
      'As its publisher signed it.',
    ),
  }),
  "The word of the ledger's validators: from the transaction to a publisher of validator lists.",
);

const timestamp = described(
  object({
    checkpointText: described(
      text({
        maxLength: 8_192,
        pattern: /^[^\s+]+\n(?:0|[1-9]\d{0,14})\n[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=\n$/,
      }),
      'Text of a checkpoint of the log, three lines: its SHA-256 is stamped.',
    ),
    hashes: described(
      list(lowerHash, 64),
      'From the leaf of log.event, at log.leafIndex, to the root of this checkpoint.',
    ),
    token: described(base64(maxTokenBytes), 'Time-stamp token (RFC 3161) in DER.'),
  }),
  'The word of a time-stamping authority: the log with the anchoring existed at a time.',
);

const issuer = described(
  object({
    note: described(
      words(1_024),
      'C2SP signed note: the format, and the SHA-256 of the canonical JSON (RFC 8785) of the bundle ' +
        'without issuer and checksum, and with nonce null.',
    ),
  }),
  "The issuer's signature of the bundle, which covers the claims in it.",
);

/**
 * The machine-readable evidence of one proof, attached to its certificate: everything that can be
 * checked without the issuer. Limits only form and size; the checks compare the parts.
 */
export const bundle = either(
  'version',
  object({
    ...{ format: choice(bundleFormat), version: choice(1), ...proof },
    ...{ addresses: firstAddresses, checksum },
  }),
  object({
    ...{ format: choice(bundleFormat), version: choice(2), ...proof },
    ...{ addresses: firstAddresses, log, checksum },
  }),
  object({
    ...{ format: choice(bundleFormat), version: choice(3), ...proof },
    ...{ addresses, log, checksum },
  }),
  object({
    ...{ format: choice(bundleFormat), version: choice(4), ...proof },
    ...{ addresses, log, attestation, checksum },
  }),
  object({
    ...{ format: choice(bundleFormat), version: choice(5), ...proof },
    ...{ addresses, log, attestation: nullable(attestation), timestamp, checksum },
  }),
  object({
    ...{ format: choice(bundleFormat), version: choice(6), ...proof },
    ...{ addresses, log, attestation: nullable(attestation), timestamp: nullable(timestamp) },
    ...{ issuer, checksum },
  }),
);

export type Bundle = ValueOf<typeof bundle>;

/** Position of an anchoring in the log, in bundles since version 2. */
export type BundleLog = ValueOf<typeof log>;

/** Signatures of the ledger's validators, in bundles since version 4. Binary forms in base64. */
export type BundleAttestation = ValueOf<typeof attestation>;

/** A time-stamp token that covers the anchoring, in bundles since version 5. */
export type BundleTimestamp = ValueOf<typeof timestamp>;
