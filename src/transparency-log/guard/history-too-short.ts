import { OperatorError } from '../../errors/operator-error.ts';
import type { HistoryEnds } from './verdict.ts';

/** The ledgers in which an account may have sent more are on no configured server any more. */
export class HistoryTooShort extends OperatorError {
  constructor({ network, account, searchedFrom }: Omit<HistoryEnds, 'status'>) {
    super(
      `what ${account} sent before ledger ${searchedFrom} is told by no server of ` +
        `${network}: add one with more history`,
    );
  }
}
