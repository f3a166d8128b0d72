import { z } from 'zod';
import { networks } from '../domain/network.ts';
import { hashSchemes } from '../domain/proof/hash-scheme.ts';
import { evidence } from './evidence.ts';
import {
  count,
  id,
  lowerHex,
  success,
  time,
  transactionHash,
  untrusted,
  url,
} from './output-fields.ts';

/** Proof as the API shows it. Members are null while the proof is pending. */
const proofData = z
  .object({
    proofId: id,
    txHash: transactionHash.nullable().meta({
      description:
        'transaction hash, the permanent anchor; null while the proof is pending, final once it is ' +
        'completed',
    }),
    verifyUrl: url.nullable().meta({
      description:
        'the transaction in a public explorer of the ledger; null while the proof is pending; no ' +
        'explorer shows a standalone ledger, so there it is verifyPageUrl',
    }),
    verifyPageUrl: url.nullable().meta({
      description:
        'the page of this service that verifies the transaction; null while the proof is pending',
    }),
    certPath: z.string().meta({ description: 'relative path of the certificate' }),
    ledger: z.enum(networks),
    standalone: z.boolean().meta({
      description:
        'true for a development ledger that only this service keeps: it has no evidential value',
    }),
    ledgerIndex: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'null until the proof is completed' }),
    requestedAt: time.meta({ description: 'the time at which the service received the request' }),
    timestamp: time.nullable().meta({
      description:
        'the close time of the ledger, which the ledger rounds to some seconds; null until the proof is ' +
        'completed',
    }),
    hashScheme: z.enum(hashSchemes),
    proofCommitment: lowerHex.nullable().meta({
      description: 'the value on the ledger under a salted scheme; null under sha256-plain-v1',
    }),
    proofNonce: lowerHex.nullable().meta({
      description:
        'confidential: the HMAC key of a salted proof; returned once, by the first successful POST of ' +
        'the hash or the bytes, and by GET with includeSalt=true, otherwise null',
    }),
  })
  .meta({
    id: 'ProofData',
    description:
      'A proof. txHash, verifyUrl and verifyPageUrl are null while it is pending; ledgerIndex and ' +
      'timestamp are null until it is completed.',
  });

export const proofStatus = proofData
  .extend({
    blockchainStatus: z.enum(['pending', 'processing', 'completed']).meta({
      description:
        'pending: there is no signed transaction; processing: a signed transaction may be on the ledger; ' +
        'completed: the transaction is in a validated ledger',
    }),
    evidence: evidence.meta({
      description:
        "attested: signatures of the ledger's validators are on record, so a certificate issued from " +
        'now on can be verified without a server; pending: they are not on record yet',
    }),
    fileName: untrusted.nullable().meta({ description: 'null if none was given; untrusted' }),
    fileHash: lowerHex.meta({ description: 'the plain SHA-256 of the file' }),
    fileSize: count.nullable().meta({ description: 'bytes; null if none was given' }),
    mimeType: untrusted.nullable().meta({ description: 'null if none was given; untrusted' }),
    description: untrusted.nullable().meta({ description: 'null if none was given; untrusted' }),
    metadata: z.record(z.string(), z.unknown()).meta({
      description: 'the metadata of POST /proofs, with every member that was sent; untrusted',
    }),
  })
  .meta({
    id: 'ProofStatus',
    description: 'A proof, its status, and the file as the caller described it.',
  });

const alreadyProven = z
  .literal(true)
  .optional()
  .meta({ description: 'present only if the hash was already proven in the workspace' });

export const proofResponse = z.object({ success, alreadyProven, data: proofData });

export const proofStatusResponse = z.object({ success, data: proofStatus });

export type ProofData = z.infer<typeof proofData>;
export type ProofStatus = z.infer<typeof proofStatus>;
