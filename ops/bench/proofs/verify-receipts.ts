import { filter, firstValueFrom } from 'rxjs';
import { readProofMemo } from '../../../src/domain/proof/memo.ts';
import { readTransaction } from '../../../src/ledger/anchor-transaction.ts';
import type { LedgerGateway, LedgerTransaction } from '../../../src/ledger/contract.ts';
import { openGateway } from '../../../src/ledger/gateway.ts';
import { readTransactionResult } from '../../../src/ledger/transaction-result.ts';
import { call, inParallel, keepAliveAgent } from '../harness/calls.ts';
import { commitmentOf, type Receipt } from './receipt.ts';

export interface LedgerVerification {
  readonly receipts: number;
  readonly verified: number;
  readonly distinctTransactions: number;
  /** Number of ledgers read completely; each must match its hash and follow the one before it. */
  readonly ledgers: number;
  /** Number of the accounts' proofs on the ledger, with or without a receipt. */
  readonly proofsOnLedger: number;
  /** Number of repeated commitments on the ledger. */
  readonly anchoredTwice: number;
  /** First few receipts that did not verify. */
  readonly failures: readonly string[];
}

interface ProofOnLedger {
  readonly fileHash: unknown;
  readonly hashScheme: unknown;
}

const maxFailures = 5;

/**
 * Verifies every receipt without the service. Reads all ledgers from `firstLedger` on, and checks that each receipt's
 * transaction succeeded and that its memo holds the commitment computed here.
 */
export async function verifyOnLedger(
  options: {
    readonly url: string;
    readonly firstLedger: number;
    readonly accounts: readonly string[];
  },
  receipts: readonly Receipt[],
): Promise<LedgerVerification> {
  const gateway = openGateway({ network: 'testnet', urls: [options.url] });
  try {
    const { proofs, ledgers } = await readProofs(gateway, options);
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

/** Reads all successful proofs of the accounts by transaction, from consecutive ledgers. */
async function readProofs(
  gateway: LedgerGateway,
  options: { readonly firstLedger: number; readonly accounts: readonly string[] },
) {
  const accounts = new Set(options.accounts);
  const status = await firstValueFrom(gateway.status.pipe(filter(({ connected }) => connected)));
  if (!status.connected) throw new Error('unreachable');
  const proofs = new Map<string, ProofOnLedger>();
  const newest = status.tip.index;
  let after: string | null = null;
  let ledgers = 0;
  for (let index = newest; index >= options.firstLedger; index -= 1) {
    const ledger = await gateway.ledger(index);
    if (ledger === null) throw new Error(`the ledger server lacks ledger ${index}`);
    if (after !== null && ledger.hash !== after)
      throw new Error(`ledger ${index} belongs to another chain`);
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

export interface PublicVerification {
  /** Number of checked receipts. */
  readonly receipts: number;
  readonly verified: number;
  /** First few failures with the reason. */
  readonly failures: readonly string[];
}

const callers = 16;

interface PublicAnswer {
  readonly data?: {
    readonly transactionHash: string;
    readonly verified: boolean;
    readonly memo: { readonly fileHash: string; readonly hashScheme: string } | null;
  };
}

/**
 * Verifies proofs on the public endpoint against a commitment computed here: all of them, or `most`
 * that are spread evenly.
 */
export async function verifyPublicly(
  address: string,
  receipts: readonly Receipt[],
  most: number,
): Promise<PublicVerification> {
  const agent = keepAliveAgent(callers);
  const every = Math.max(1, receipts.length / most);
  const count = Math.min(most, receipts.length);
  const failures: string[] = [];
  await inParallel(count, callers, async (place) => {
    const receipt = receipts[Math.floor(place * every)] as Receipt;
    const { status, text } = await call(
      agent,
      'GET',
      `${address}/api/public/verify/${receipt.txHash}`,
    );
    const verified = status === 200 && confirms(JSON.parse(text) as PublicAnswer, receipt);
    if (!verified) failures.push(`${receipt.txHash}: ${status} ${text}`);
  });
  agent.destroy();
  const verified = count - failures.length;
  return { receipts: count, verified, failures: failures.slice(0, maxFailures) };
}

function confirms({ data }: PublicAnswer, receipt: Receipt): boolean {
  const { hashScheme, txHash } = receipt;
  return (
    data?.verified === true &&
    data.transactionHash === txHash &&
    data.memo?.fileHash === commitmentOf(receipt) &&
    data.memo.hashScheme === hashScheme
  );
}
