import type { TransactionQueue } from '../../chain/transaction-queue.ts';
import type { JsonObject } from '../../codec/json.ts';
import { accountRootIndex, isAddress } from '../../codec/ledger-keys.ts';
import { isBlocker, potentialSpend } from '../../engine/consequences.ts';
import { accountFlag, hasFlag } from '../../engine/ledger-entry.ts';
import { readAccount } from '../../engine/view.ts';
import type { Command } from '../command.ts';
import { findLedger, ledgerFields } from '../find-ledger.ts';
import { stateOf } from '../find-state.ts';
import { flagOf } from '../request.ts';
import { invalidParams, RpcError } from '../rpc-error.ts';

export const accountInfo: Command = ({ node }, request) => {
  const { account } = request.parameters;
  if (account === undefined) throw invalidParams("Missing field 'account'.");
  if (typeof account !== 'string') throw invalidParams("Invalid field 'account'.");
  const choice = findLedger(node, request);
  const shown = ledgerFields(node, choice);
  if (!isAddress(account)) throw new RpcError('actMalformed', { extra: shown });
  const wantsQueue = flagOf(request, 'queue');
  if (wantsQueue && choice.status !== 'open') throw new RpcError('invalidParams', { extra: shown });
  const root = readAccount(stateOf(node, choice), account);
  if (root === undefined) throw new RpcError('actNotFound', { extra: { account, ...shown } });
  return {
    account_data: { ...root, index: accountRootIndex(account) },
    account_flags: flagNames(root.Flags),
    ...shown,
    ...(wantsQueue ? { queue_data: queueData(node.queue, account) } : {}),
  };
};

function flagNames(flags: number): JsonObject {
  const { disableMasterKey, requireDestinationTag, requireAuthorization, ...others } = accountFlag;
  const named = { ...others, disableMasterKey, requireDestinationTag, requireAuthorization };
  return Object.fromEntries(
    Object.entries(named).map(([name, flag]) => [name, hasFlag(flags, flag)]),
  );
}

function queueData(queue: TransactionQueue, account: string): JsonObject {
  const entries = queue.of(account).entries;
  if (entries.length === 0) return { txn_count: 0 };
  const transactions = entries.map(({ transaction, feeLevel }) => ({
    ...(transaction.lastLedgerSequence === undefined
      ? {}
      : { LastLedgerSequence: transaction.lastLedgerSequence }),
    auth_change: isBlocker(transaction),
    fee: String(transaction.feeDrops),
    fee_level: String(feeLevel),
    max_spend_drops: String(transaction.feeDrops + potentialSpend(transaction)),
    [transaction.usesTicket ? 'ticket' : 'seq']: transaction.sequence,
  }));
  const all = entries.map(({ transaction }) => transaction);
  const total = all.reduce((sum, each) => sum + each.feeDrops + potentialSpend(each), 0n);
  return {
    auth_change_queued: all.some(isBlocker),
    ...extremes(
      'sequence',
      all.filter((each) => !each.usesTicket),
    ),
    ...extremes(
      'ticket',
      all.filter((each) => each.usesTicket),
    ),
    max_spend_drops_total: String(total),
    transactions,
    txn_count: all.length,
  };
}

function extremes(kind: string, all: readonly { readonly sequence: number }[]): JsonObject {
  if (all.length === 0) return {};
  return {
    [`lowest_${kind}`]: all[0]?.sequence,
    [`highest_${kind}`]: all.at(-1)?.sequence,
    [`${kind}_count`]: all.length,
  };
}
