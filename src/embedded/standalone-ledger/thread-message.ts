import type { ValidatorListPlace } from './create-standalone-ledger.ts';

/** Message of the thread to its owner: the ledger is ready, or failed to start. */
export type LedgerThreadMessage =
  | {
      readonly status: 'ready';
      readonly url: string;
      readonly port: number;
      readonly validatorList: ValidatorListPlace;
    }
  | { readonly status: 'failed'; readonly message: string; readonly code: string | undefined };
