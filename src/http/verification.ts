import { z } from 'zod';
import { networks } from '../domain/network.ts';
import { success, time, transactionHash, url } from './output-fields.ts';

/** Why a transaction does not verify, for programs. */
export const reasonCodes = [
  'TRANSACTION_FAILED',
  'FOREIGN_ACCOUNT',
  'MALFORMED_MEMO',
  'LEDGER_RESET',
  'LEDGER_CONTRADICTS',
] as const;

export interface Reason {
  readonly reasonCode: (typeof reasonCodes)[number];
  /** The same in words. */
  readonly reason: string;
}

/** The public verification result of the contract; the reason says why `verified` is false. */
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
    account: z.string().meta({ description: 'the account that sent the transaction' }),
    standalone: z.boolean().meta({
      description:
        'whether the ledger is one for development, which this service alone keeps: it proves nothing',
    }),
    reason: z.string().optional().meta({ description: 'only there if it is not verified' }),
    reasonCode: z
      .enum(reasonCodes)
      .optional()
      .meta({ description: 'the reason for programs; only there if it is not verified' }),
  })
  .meta({ id: 'Verification' });

export const verificationResponse = z.object({ success, data: verification });

export type Verification = z.infer<typeof verification>;

/** The verdict with the reason against it, if there is one. */
export function verdict(
  reason: Reason | null,
): Pick<Verification, 'verified' | 'reason' | 'reasonCode'> {
  return reason === null ? { verified: true } : { verified: false, ...reason };
}
