import { z } from 'zod';
import { networks } from '../domain/network.ts';
import { hashSchemes } from '../domain/proof/hash-scheme.ts';
import { id, lowerHex, success, time, transactionHash, untrusted, url } from './output-fields.ts';

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
        'the transaction in a public explorer of the ledger, or for a standalone ledger its public ' +
        'verification; null while the proof is pending',
    }),
    certPath: z.string().meta({ description: 'relative path of the certificate' }),
    ledger: z.enum(networks),
    ledgerIndex: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'null until the proof is completed' }),
    timestamp: time.meta({
      description:
        'until the proof is completed, the time of receipt; then the close time of the ledger, which the ' +
        'ledger rounds to some seconds',
    }),
    hashScheme: z.enum(hashSchemes),
    proofCommitment: lowerHex.nullable().meta({
      description: 'the value on the ledger under a salted scheme; null under sha256-plain-v1',
    }),
    proofNonce: lowerHex.nullable().meta({
      description:
        'confidential: the HMAC key of a salted proof; returned when the proof is created and by GET ' +
        'with includeSalt=true, otherwise null',
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
        'pending: there is no signed transaction; processing: a signed transaction may be on the ledger; ' +
        'completed: the transaction is in a validated ledger',
    }),
    fileName: untrusted.nullable().meta({ description: 'null if none was given; untrusted' }),
    fileHash: lowerHex.meta({ description: 'the plain SHA-256 of the file' }),
  })
  .meta({
    id: 'ProofStatus',
    description: 'A proof and its status. fileName is null if none was given.',
  });

const alreadyProven = z
  .literal(true)
  .optional()
  .meta({ description: 'present only if the hash was already proven in the workspace' });

export const proofResponse = z.object({ success, alreadyProven, data: proofData });

export const proofStatusResponse = z.object({ success, data: proofStatus });

export type ProofData = z.infer<typeof proofData>;
export type ProofStatus = z.infer<typeof proofStatus>;
