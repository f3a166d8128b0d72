import { filter, firstValueFrom } from 'rxjs';
import { readProofMemo } from '../../src/domain/proof/memo.ts';
import { readTransaction } from '../../src/ledger/anchor-transaction.ts';
import type { LedgerGateway, LedgerTransaction } from '../../src/ledger/contract.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { readTransactionResult } from '../../src/ledger/transaction-result.ts';
import type { Receipt } from './proof-caller.ts';
import { commitmentOf } from './receipt-commitment.ts';

export interface LedgerVerification {
  readonly receipts: number;
  readonly verified: number;
  readonly distinctTransactions: number;
  /** Ledgers that were read whole; each must hash to its name and follow the one before it. */
  readonly ledgers: number;
  /** Proofs of the accounts that the ledger holds, with or without a receipt. */
  readonly proofsOnLedger: number;
  /** Commitments that the ledger holds more than once. */
  readonly anchoredTwice: number;
  /** The first few receipts that did not verify. */
  readonly failures: readonly string[];
}

interface ProofOnLedger {
  readonly fileHash: unknown;
  readonly hashScheme: unknown;
}

const maxFailures = 5;
/** The first one that a standalone ledger validates. */
const firstLedger = 2;

/**
 * Verifies every receipt without the service: reads all ledgers there are and looks for each
 * receipt's transaction, that it succeeded, and for the commitment, made here, in its memo.
 */
export async function verifyOnLedger(
  options: { readonly url: string; readonly accounts: readonly string[] },
  receipts: readonly Receipt[],
): Promise<LedgerVerification> {
  const gateway = openGateway({ network: 'testnet', urls: [options.url] });
  try {
    const { proofs, ledgers } = await readProofs(gateway, new Set(options.accounts));
    const failed = receipts.filter((receipt) => {
      const proof = proofs.get(receipt.txHash);
      return proof?.fileHash !== commitmentOf(receipt) || proof.hashScheme !== receipt.hashScheme;
    });
    const commitments = new Set([...proofs.values()].map(({ fileHash }) => fileHash));
    return {
      receipts: receipts.length,
      verified: receipts.length - failed.length,
      distinctTransactions: new Set(receipts.map(({ txHash }) => txHash)).size,
      ledgers,
      proofsOnLedger: proofs.size,
      anchoredTwice: proofs.size - commitments.size,
      failures: failed.slice(0, maxFailures).map(({ txHash }) => txHash),
    };
  } finally {
    await gateway.close();
  }
}

/** Every successful proof of the accounts by its transaction, from ledgers that follow each other. */
async function readProofs(gateway: LedgerGateway, accounts: ReadonlySet<string>) {
  const status = await firstValueFrom(gateway.status.pipe(filter(({ connected }) => connected)));
  if (!status.connected) throw new Error('unreachable');
  const proofs = new Map<string, ProofOnLedger>();
  const newest = status.tip.index;
  let after: string | null = null;
  let ledgers = 0;
  for (let index = newest; index >= firstLedger; index -= 1) {
    const ledger = await gateway.ledger(index);
    if (ledger === null) throw new Error(`the ledger server lacks ledger ${index}`);
    if (after !== null && ledger.hash !== after)
      throw new Error(`ledger ${index} is of another chain`);
    for (const transaction of ledger.transactions) {
      const proof = readProof(transaction, accounts);
      if (proof) proofs.set(transaction.hash, proof);
    }
    after = ledger.parentHash;
    ledgers += 1;
  }
  return { proofs, ledgers };
}

function readProof(
  { blob, metadata }: LedgerTransaction,
  accounts: ReadonlySet<string>,
): ProofOnLedger | null {
  const { account, memos } = readTransaction(blob);
  if (!accounts.has(account)) return null;
  const { memo, wellFormed } = readProofMemo(memos);
  if (!wellFormed || memo === null) return null;
  if (readTransactionResult(metadata).engineResult !== 'tesSUCCESS') return null;
  return { fileHash: memo.fileHash, hashScheme: memo.hashScheme };
}
