import { z } from 'zod';
import { networks } from '../domain/network.ts';

/** The public verification result of the contract; `reason` says why `verified` is false. */
export const verification = z.object({
  transactionHash: z.string(),
  network: z.enum(networks),
  verified: z.boolean(),
  explorerUrl: z.string(),
  ledgerIndex: z.int(),
  ledgerCloseTime: z.iso.datetime(),
  memo: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({
      description:
        'fileHash and hashScheme of a proof, and for a revision previous: the transaction hash of the ' +
        'one before; null where there is no such memo',
    }),
  reason: z.string().optional(),
});

export type Verification = z.infer<typeof verification>;

/** The verdict with the reason against it, if there is one. */
export function verdict(reason: string | null): Pick<Verification, 'verified' | 'reason'> {
  return reason === null ? { verified: true } : { verified: false, reason };
}
