import { z } from 'zod';
import { networks } from '../../domain/network.ts';
import { success, time, transactionHash, url } from '../../views/output-fields.ts';

/** Reasons why a transaction does not verify, for programs. */
const reasonCodes = [
  'TRANSACTION_FAILED',
  'FOREIGN_ACCOUNT',
  'MALFORMED_MEMO',
  'LEDGER_RESET',
  'LEDGER_CONTRADICTS',
] as const;

export interface Reason {
  readonly reasonCode: (typeof reasonCodes)[number];
  /** The reason in words. */
  readonly reason: string;
}

/** Public verification result of the API; the reason says why `verified` is false. */
export const verification = z
  .object({
    transactionHash,
    txHash: transactionHash.meta({ description: 'the same as transactionHash, as in the path' }),
    network: z.enum([...networks, 'standalone']).meta({
      description: 'standalone: a development ledger that only this service keeps',
    }),
    verified: z.boolean().meta({
      description:
        'true if the transaction is validated with tesSUCCESS, its memo is a proof and its account is an ' +
        'anchoring account of this service',
    }),
    explorerUrl: url.meta({
      description: 'the transaction in a public explorer; for a standalone ledger verifyPageUrl',
    }),
    verifyPageUrl: url.meta({
      description: 'the page of this service that verifies the transaction',
    }),
    ledgerIndex: z.int().min(0),
    ledgerCloseTime: time.meta({
      description: 'the close time of the ledger, rounded by the ledger',
    }),
    memo: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description:
          'for a proof: fileHash and hashScheme, and for a revision previous, the transaction hash of the ' +
          'previous revision; for any other transaction: its memo, which is untrusted; null if there is no ' +
          'memo',
      }),
    account: z.string().meta({ description: 'the account that sent the transaction' }),
    standalone: z.boolean().meta({
      description: 'true if network is standalone; such a ledger has no evidential value',
    }),
    reason: z
      .string()
      .optional()
      .meta({ description: 'why the transaction is not verified; absent if it is verified' }),
    reasonCode: z.enum(reasonCodes).optional().meta({
      description: 'the same reason as a code for programs; absent if the transaction is verified',
    }),
  })
  .meta({ id: 'Verification' });

export const verificationResponse = z.object({ success, data: verification });

export type Verification = z.infer<typeof verification>;

/** The verdict with the reason against the transaction, if there is one. */
export function verdict(
  reason: Reason | null,
): Pick<Verification, 'verified' | 'reason' | 'reasonCode'> {
  return reason === null ? { verified: true } : { verified: false, ...reason };
}
