import { z } from 'zod';
import { networks } from '../domain/network.ts';
import { memoFormat, proofMemoType } from '../domain/proof/memo.ts';

export const bundleFormat = 'proofmark/bundle';

/** A hash as this service writes it. */
const lowerHash = z.string().regex(/^[a-f0-9]{64}$/);
/** A hash as the ledger writes it. */
const upperHash = z.string().regex(/^[A-F0-9]{64}$/);
const bytes = (max: number) =>
  z
    .string()
    .max(2 * max)
    .regex(/^(?:[A-F0-9]{2})+$/);
const text = (max: number) => z.string().max(max);
const time = z.iso.datetime().max(30);
const uint32 = z.int().min(0).max(0xffff_ffff);
/** Of a web page; never followed by the verifier. */
const address = z
  .string()
  .max(2_048)
  .regex(/^https?:\/\/\S+$/);

const certificate = z
  .strictObject({
    templateVersion: z.literal(1),
    proofId: z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    issuedAt: time,
    organisationName: text(1_000),
    workspaceName: text(1_000),
  })
  .meta({
    description: 'Who issued the certificate, and when. Nothing on the ledger vouches for it.',
  });

const file = z.strictObject({
  fileName: text(1_000).nullable(),
  fileSizeBytes: z.int().min(0).nullable(),
  mimeType: text(1_000).nullable(),
  fileHash: lowerHash.meta({ description: 'SHA-256 of the file.' }),
});

const plainCommitment = z.strictObject({
  hashScheme: z.literal('sha256-plain-v1'),
  commitment: z.null(),
  nonce: z.null(),
});

const saltedCommitment = z.strictObject({
  hashScheme: z.enum(['hmac-sha256-nonce-v2', 'hmac-sha256-nonce-v3']),
  commitment: lowerHash.meta({
    description: 'HMAC-SHA-256, its key the bytes of the nonce, its message those of fileHash.',
  }),
  nonce: lowerHash.nullable().meta({ description: 'Confidential; null in the form for sharing.' }),
});

const revision = z.strictObject({
  number: z.int().min(1).nullable(),
  previousTransactionHash: upperHash.nullable().meta({
    description: 'The transaction of the revision before, which the memo names.',
  }),
});

const anchor = z
  .strictObject({
    network: z.enum(networks),
    standalone: z.boolean().meta({ description: 'A ledger for development: it proves nothing.' }),
    account: z
      .string()
      .max(35)
      .regex(/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/),
    transactionHash: upperHash,
    ledgerIndex: uint32,
    ledgerHash: upperHash,
    transactionIndex: uint32,
    closeTime: uint32.meta({
      description: 'Seconds since 2000-01-01T00:00:00Z, as the ledger rounded them.',
    }),
    closeTimeIso: time,
  })
  .meta({ description: 'Where on the XRP Ledger the transaction is.' });

const evidence = z
  .strictObject({
    memo: z.strictObject({
      type: z.literal(proofMemoType),
      format: z.literal(memoFormat),
      data: text(1_024),
    }),
    blob: bytes(4_096).meta({ description: 'The signed transaction.' }),
    metadata: bytes(32_768).meta({ description: "The transaction's metadata, binary." }),
    ledgerHeader: bytes(118).meta({ description: 'The header of the ledger, binary.' }),
  })
  .meta({ description: 'What the ledger holds, in its own binary forms.' });

const addresses = z.strictObject({
  verifyUrl: address,
  publicApiUrl: address,
  explorerUrl: address,
});

const proof = {
  certificate,
  file,
  commitment: z.discriminatedUnion('hashScheme', [plainCommitment, saltedCommitment]),
  revision,
  anchor,
  evidence,
  addresses,
};

const checksum = lowerHash.meta({
  description:
    'SHA-256 of the canonical JSON (RFC 8785) of everything else. It finds damage, not forgery.',
});

const ulid = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);

const log = z
  .strictObject({
    event: z
      .strictObject({
        v: z.literal(1),
        eventId: ulid,
        organisationId: ulid,
        stream: text(100),
        version: z.int().min(1),
        type: z.literal('Anchored'),
        schema: z.literal(1),
        recordedAt: time,
        dataHash: lowerHash.meta({
          description: 'SHA-256 of what the event says: the anchoring, in canonical JSON.',
        }),
        metaHash: lowerHash,
      })
      .meta({ description: 'The leaf is SHA-256 of a zero byte and this in canonical JSON.' }),
    ledgerId: text(100).meta({ description: "The issuer's name for the ledger." }),
    leafIndex: z.int().min(0),
    hashes: z.array(lowerHash).max(64),
    checkpoint: text(8_192).meta({ description: 'C2SP signed-note, as it was published.' }),
  })
  .meta({ description: "That the anchoring is in the issuer's log, as it was published." });

/**
 * The machine-readable evidence of one proof, as it is attached to its certificate: everything that
 * can be checked without its issuer. Only form and size are checked here; whether the parts agree is
 * for `checkBundle`.
 */
export const bundle = z
  .discriminatedUnion('version', [
    z.strictObject({ format: z.literal(bundleFormat), version: z.literal(1), ...proof, checksum }),
    z.strictObject({
      format: z.literal(bundleFormat),
      version: z.literal(2),
      ...proof,
      log,
      checksum,
    }),
  ])
  .meta({ title: 'Proofmark proof bundle, versions 1 and 2' });

export type Bundle = z.infer<typeof bundle>;

/** What version 2 says of the log. */
export type BundleLog = z.infer<typeof log>;
