import { serveOrders } from './helper-process.ts';
import { type Posting, type Stretch, startPosting } from './posting.ts';
import type { Account } from './proof-caller.ts';
import { type LedgerVerification, verifyOnLedger } from './verify-on-ledger.ts';
import { type PublicVerification, verifyPublicly } from './verify-publicly.ts';

/** What the process of the callers is asked for. Verification comes after `stop`. */
const orders = {
  start: ({ account, callers }: { readonly account: Account; readonly callers: number }): void => {
    posting = startPosting(account, callers);
  },
  reached: ({ proofs }: { readonly proofs: number }): Promise<void> => current().reached(proofs),
  begin: (): void => current().begin(),
  /** Ends a part, if need be when so many proofs were answered since the start. */
  async cut({ proofs = 0 }: { readonly proofs?: number }): Promise<Stretch> {
    await current().reached(proofs);
    return current().cut();
  },
  whole: (): Stretch => current().whole(),
  stop: (): Promise<void> => current().stop(),
  verifyOnLedger: (input: {
    readonly url: string;
    readonly accounts: readonly string[];
  }): Promise<LedgerVerification> => verifyOnLedger(input, current().receipts),
  verifyPublicly: ({ address, most }: { readonly address: string; readonly most: number }) =>
    verifyPublicly(address, current().receipts, most) satisfies Promise<PublicVerification>,
};
export type CallersOrders = typeof orders;

let posting: Posting | null = null;

function current(): Posting {
  if (posting === null) throw new Error('nobody has started to post');
  return posting;
}

serveOrders(orders);
