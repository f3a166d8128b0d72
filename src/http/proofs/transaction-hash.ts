import { z } from 'zod';

/**
 * Transaction hash in a path, in upper or lower case. Converted to upper case, as the ledger writes
 * it.
 */
export const transactionHashInput = {
  schema: z.object({
    txHash: z
      .string()
      .regex(/^[A-Fa-f0-9]{64}$/, 'must be 64 hexadecimal characters')
      .transform((hash) => hash.toUpperCase())
      .meta({
        description: 'the hash of a ledger transaction, in upper or lower case',
        examples: ['5411333BAAB2CDF1652665E8425611B1CD0E7454189F757A7F297F9DAA17A850'],
      }),
  }),
  refusals: { txHash: 'INVALID_TX_HASH' },
} as const;
