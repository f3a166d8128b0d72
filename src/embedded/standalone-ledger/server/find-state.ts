import type { LedgerNode } from '../chain/ledger-node.ts';
import type { ReadView } from '../engine/view.ts';
import type { LedgerChoice } from './find-ledger.ts';
import { RpcError } from './rpc-error.ts';

/** The state of a ledger. Only the states of the open and the last validated ledger are kept. */
export function stateOf(node: LedgerNode, choice: LedgerChoice): ReadView {
  if (choice.status === 'open') return node.open.view;
  if (choice.ledger.hash !== node.validated.hash) throw new RpcError('lgrNotFound');
  return node.state;
}
