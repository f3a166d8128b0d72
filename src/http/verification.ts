import { z } from 'zod';
import { networks } from '../domain/network.ts';
import { success, time, transactionHash, url } from './output-fields.ts';

/** The public verification result of the contract; `reason` says why `verified` is false. */
export const verification = z
  .object({
    transactionHash,
    network: z.enum(networks),
    verified: z.boolean().meta({
      description:
        'whether the transaction is validated with tesSUCCESS, its memo is a proof and its account is ' +
        'one that this service anchors from',
    }),
    explorerUrl: url,
    ledgerIndex: z.int().min(0),
    ledgerCloseTime: time.meta({ description: 'as the ledger rounds it' }),
    memo: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description:
          'fileHash and hashScheme of a proof, and for a revision previous: the transaction hash of ' +
          'the one before; of a foreign transaction whatever its memo says; null where there is none',
      }),
    reason: z.string().optional().meta({ description: 'only there if it is not verified' }),
  })
  .meta({ id: 'Verification' });

export const verificationResponse = z.object({ success, data: verification });

export type Verification = z.infer<typeof verification>;

/** The verdict with the reason against it, if there is one. */
export function verdict(reason: string | null): Pick<Verification, 'verified' | 'reason'> {
  return reason === null ? { verified: true } : { verified: false, reason };
}
