import { OperatorError } from '../../errors/operator-error.ts';
import type { HistoryEnds } from './verdict.ts';

/** No configured server has the older ledgers, in which the account may have sent transactions. */
export class HistoryTooShort extends OperatorError {
  constructor({ network, account, searchedFrom }: Omit<HistoryEnds, 'status'>) {
    super(
      `no server of ${network} shows the transactions of ${account} before ledger ` +
        `${searchedFrom}: add a server with more history`,
    );
  }
}
