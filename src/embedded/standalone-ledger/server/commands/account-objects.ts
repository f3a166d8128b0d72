import { ownerDirectoryIndex } from '../../codec/ledger-keys.ts';
import { readAccount } from '../../engine/view.ts';
import type { Command } from '../command.ts';
import { findLedger, ledgerFields } from '../find-ledger.ts';
import { stateOf } from '../find-state.ts';
import { accountOf } from '../request.ts';
import { RpcError } from '../rpc-error.ts';

/** The objects of an account: only tickets exist here. */
export const accountObjects: Command = ({ node }, request) => {
  const account = accountOf(request);
  const choice = findLedger(node, request);
  const shown = ledgerFields(node, choice);
  const state = stateOf(node, choice);
  if (readAccount(state, account) === undefined) throw new RpcError('actNotFound');
  const { type } = request.parameters;
  const directory = state.read(ownerDirectoryIndex(account));
  const indexes = directory?.LedgerEntryType === 'DirectoryNode' ? directory.Indexes : [];
  const objects = type === undefined || type === 'ticket' ? indexes : [];
  return {
    account,
    account_objects: objects.map((index) => ({ ...state.read(index), index })),
    ...shown,
  };
};
