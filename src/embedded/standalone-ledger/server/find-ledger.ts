import type { StoredLedger } from '../chain/history.ts';
import type { LedgerNode } from '../chain/ledger-node.ts';
import type { JsonObject } from '../codec/json.ts';
import type { Request } from './request.ts';
import { invalidParams, RpcError } from './rpc-error.ts';

/** The ledger of a request: the open one, or a closed one. */
export type LedgerChoice =
  | { readonly status: 'open' }
  | { readonly status: 'closed'; readonly ledger: StoredLedger };

/** The ledger named by `ledger_hash` or `ledger_index`; the open one if neither is given. */
export function findLedger(node: LedgerNode, { parameters }: Request): LedgerChoice {
  const { ledger_hash: hash, ledger_index: index = 'current' } = parameters;
  if (hash !== undefined) {
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/i.test(hash))
      throw invalidParams('ledgerHashMalformed');
    return closed(node.history.ledgerByHash(hash));
  }
  if (index === 'current' || index === '') return { status: 'open' };
  if (index === 'validated' || index === 'closed') return closed(node.validated);
  const number = typeof index === 'string' && /^\d{1,10}$/.test(index) ? Number(index) : index;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0) {
    throw invalidParams('ledgerIndexMalformed');
  }
  if (number === node.open.ledgerIndex) return { status: 'open' };
  return closed(node.history.ledger(number));
}

/** The fields of an answer that identify its ledger. */
export function ledgerFields(node: LedgerNode, choice: LedgerChoice): JsonObject {
  if (choice.status === 'open') {
    return { ledger_current_index: node.open.ledgerIndex, validated: false };
  }
  const { header, hash } = choice.ledger;
  return { ledger_hash: hash, ledger_index: header.ledgerIndex, validated: true };
}

function closed(ledger: StoredLedger | undefined): LedgerChoice {
  if (ledger === undefined) throw new RpcError('lgrNotFound');
  return { status: 'closed', ledger };
}
