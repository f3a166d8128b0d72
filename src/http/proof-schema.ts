import { z } from 'zod';
import { networks } from '../domain/network.ts';
import { hashSchemes } from '../domain/proof/hash-scheme.ts';

/** ProofData of the contract; the nulls that it does not name are those of a pending proof. */
export const proofData = z.object({
  proofId: z.string(),
  txHash: z.string().nullable().meta({ description: 'null while pending' }),
  verifyUrl: z.string().nullable().meta({ description: 'null while pending' }),
  certPath: z.string(),
  ledger: z.enum(networks),
  ledgerIndex: z.int().nullable().meta({ description: 'null until completed' }),
  timestamp: z.iso
    .datetime()
    .meta({ description: 'time of receipt until completed, then the close time of the ledger' }),
  hashScheme: z.enum(hashSchemes),
  proofCommitment: z.string().nullable(),
  proofNonce: z.string().nullable(),
});

export const proofStatus = proofData.extend({
  blockchainStatus: z.enum(['pending', 'processing', 'completed']),
  fileName: z.string().nullable().meta({ description: 'null where none was given' }),
  fileHash: z.string(),
});

export const proofResponse = z.object({
  success: z.literal(true),
  alreadyProven: z.literal(true).optional(),
  data: proofData,
});

export const proofStatusResponse = z.object({ success: z.literal(true), data: proofStatus });

export type ProofData = z.infer<typeof proofData>;
export type ProofStatus = z.infer<typeof proofStatus>;
