import type { Network } from '../../domain/network.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import type { SentTransaction } from '../../ledger/contract.ts';
import type { AnchoredFinding } from './compare-anchored.ts';

export type AnchoredDifference =
  | Extract<AnchoredFinding, { readonly status: 'shorter' | 'differs' | 'older-epoch' }>
  | ForgottenFinding;

/** The ledger has transactions of one of our accounts, with memos of ours, that the log does not know. */
export interface ForgottenFinding {
  readonly status: 'forgotten';
  readonly network: Network;
  readonly account: string;
  /** The newest first; not empty. */
  readonly transactions: readonly SentTransaction[];
}

/**
 * The database is not the log whose checkpoint, or other transactions, are on the ledger: nothing may be
 * signed for it. The message says all that the operator needs.
 */
export class AnchoredLogDiffers extends OperatorError {
  readonly difference: AnchoredDifference;

  constructor(difference: AnchoredDifference) {
    super(
      `${wordsFor(difference)}. Nothing is signed. If it was restored from a backup and what came ` +
        'later is lost, `npm run --silent ops -- log restored` takes it up as a new epoch of the ' +
        'log, names what was lost, and reconciles the transactions that this database does not know',
    );
    this.difference = difference;
  }
}

function wordsFor(difference: AnchoredDifference): string {
  if (difference.status === 'forgotten') {
    const { network, account, transactions } = difference;
    const oldest = transactions.at(-1);
    return (
      `${account} has sent ${transactions.length} transactions on ${network} with proofs or checkpoints ` +
      `that this database does not know, the first being ${oldest?.hash} in ledger ` +
      `${oldest?.ledgerIndex}. If another log signs with this account, give each an account of its own`
    );
  }
  const { last } = difference;
  const { origin, size, rootHash, network, transactionHash, ledgerIndex } = last;
  const what =
    `${origin} was anchored on ${network} up to event ${size} (root ${rootHash}, transaction ` +
    `${transactionHash} in ledger ${ledgerIndex})`;
  switch (difference.status) {
    case 'shorter':
      return `${what}, but the database ends at event ${difference.head}`;
    case 'differs':
      return `${what}, but the database has the root ${difference.rootHash} there`;
    case 'older-epoch':
      return `${what}, but the database is still in epoch ${difference.epoch}`;
  }
}

/** `log restored` began and has not ended. */
export class RestoreUnfinished extends OperatorError {
  constructor(epoch: number) {
    super(
      `epoch ${epoch} of the log was opened, but the transactions on the ledger were not reconciled: ` +
        'run `npm run --silent ops -- log restored` again',
    );
  }
}

/** What an account sent is in ledgers that no server has any more. */
export class HistoryTooShort extends OperatorError {
  constructor(
    network: Network,
    untold: { readonly account: string; readonly searchedFrom: number },
  ) {
    super(
      `what ${untold.account} sent before ledger ${untold.searchedFrom} is told by no server of ` +
        `${network}: add one with more history`,
    );
  }
}
