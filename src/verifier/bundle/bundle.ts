import { attestation, log, timestamp } from './evidence-members.ts';
import { choice, described, either, nullable, object, type ValueOf } from './form.ts';
import { lowerHash, words } from './notations.ts';
import { addresses, firstAddresses, proofMembers as proof } from './proof-members.ts';

export const bundleFormat = 'proofmark/bundle';

const checksum = described(
  lowerHash,
  'SHA-256 of the canonical JSON (RFC 8785) of all other members. It detects damage, not forgery.',
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
