import { z } from 'zod';
import { networks } from '../domain/network.ts';
import { hashSchemes } from '../domain/proof/hash-scheme.ts';
import { id, lowerHex, success, time, transactionHash, untrusted, url } from './output-fields.ts';

/** ProofData of the contract; the nulls that it does not name are those of a pending proof. */
export const proofData = z
  .object({
    proofId: id,
    txHash: transactionHash.nullable().meta({
      description:
        'the permanent anchor; null while pending, and until completed it may still change',
    }),
    verifyUrl: url.nullable().meta({
      description:
        "the transaction in the ledger's public explorer, or on the standalone ledger its public " +
        'verification; null while pending',
    }),
    certPath: z.string().meta({ description: 'relative path of the certificate' }),
    ledger: z.enum(networks),
    ledgerIndex: z.int().min(0).nullable().meta({ description: 'null until completed' }),
    timestamp: time.meta({
      description:
        'time of receipt until completed, then the close time of the ledger, which the ledger rounds ' +
        'to some seconds',
    }),
    hashScheme: z.enum(hashSchemes),
    proofCommitment: lowerHex.nullable().meta({
      description: 'what is on the ledger under a salted scheme; null under sha256-plain-v1',
    }),
    proofNonce: lowerHex.nullable().meta({
      description:
        'confidential: the HMAC key of a salted proof; returned once, when the proof is created, and by ' +
        'GET with includeSalt=true; otherwise null',
    }),
  })
  .meta({
    id: 'ProofData',
    description: 'A proof. txHash and verifyUrl are null while it is pending.',
  });

export const proofStatus = proofData
  .extend({
    blockchainStatus: z.enum(['pending', 'processing', 'completed']).meta({
      description:
        'pending: no signed transaction is on record; processing: one may be on the ledger; completed: ' +
        'it is in a validated ledger',
    }),
    fileName: untrusted.nullable().meta({ description: 'null where none was given; untrusted' }),
    fileHash: lowerHex.meta({ description: 'the plain SHA-256 of the file' }),
  })
  .meta({
    id: 'ProofStatus',
    description: 'A proof and its status. fileName is null if none was given.',
  });

const alreadyProven = z
  .literal(true)
  .optional()
  .meta({ description: 'only there if the hash was proven in this workspace before' });

export const proofResponse = z.object({ success, alreadyProven, data: proofData });

export const proofStatusResponse = z.object({ success, data: proofStatus });

export type ProofData = z.infer<typeof proofData>;
export type ProofStatus = z.infer<typeof proofStatus>;
