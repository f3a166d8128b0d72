import {
  linkBytes,
  maxChain,
  maxListBytes,
  maxManifestBytes,
  maxPathBytes,
  maxTokenBytes,
  maxValidationBytes,
  maxValidators,
} from '../evidence/limits.ts';
import { choice, described, integer, list, object, text } from './form.ts';
import { base64, lowerHash, time, ulid, words } from './notations.ts';

/** Position of an anchoring in the log. */
export const log = described(
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

/** Signatures of the ledger's validators. Binary forms in base64. */
export const attestation = described(
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

/** A time-stamp token that covers the anchoring. */
export const timestamp = described(
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
