import type { SignedTransaction } from '../../domain/ledger/transaction.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import { type Outstanding, signedOf } from './outstanding.ts';
import type { Fate } from './settlement.ts';

type Gateway = Pick<LedgerGateway, 'ledger' | 'lookUp'>;

/**
 * The fate of a transaction by its hash, without reading its ledgers; null if it is unknown. The item is
 * absent only if all its transactions are, and all their ledgers were searched.
 */
export async function lookUpFate(gateway: Gateway, item: Outstanding): Promise<Fate | null> {
  let absent = true;
  for (const each of signedOf(item)) {
    const fate = await lookUpOne(gateway, each);
    if (fate?.fate === 'validated') return fate;
    absent &&= fate !== null;
  }
  return absent ? { fate: 'absent' } : null;
}

async function lookUpOne(gateway: Gateway, signed: SignedTransaction): Promise<Fate | null> {
  const { transactionHash: hash, minLedger, lastLedgerSequence: maxLedger } = signed;
  const lookup = await gateway.lookUp(hash, { minLedger, maxLedger });
  if (lookup.found === 'validated') {
    const ledger = await gateway.ledger(lookup.ledgerIndex);
    const transaction = ledger?.transactions.find((candidate) => candidate.hash === hash);
    return ledger && transaction ? { fate: 'validated', ledger, transaction } : null;
  }
  return lookup.found === 'absent' && lookup.searchedAll ? { fate: 'absent' } : null;
}
