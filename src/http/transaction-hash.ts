import { z } from 'zod';

/** A transaction hash in a path, in either case; upper case inside, as the ledger writes it. */
export const transactionHashInput = {
  schema: z.object({
    txHash: z
      .string()
      .regex(/^[A-Fa-f0-9]{64}$/, 'must be 64 hexadecimal characters')
      .transform((hash) => hash.toUpperCase()),
  }),
  refusals: { txHash: 'INVALID_TX_HASH' },
} as const;
