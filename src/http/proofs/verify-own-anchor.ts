import type { AnchorRecord } from '../../../projections/anchors/query.ts';
import type { Network } from '../../domain/network.ts';
import { proofMemo } from '../../domain/proof/memo.ts';
import type { LedgerAnchor, PreparedAnchor, ProofRequest } from '../../domain/proof/state.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import { explorerUrl, verifyPageUrl } from '../../views/explorer-url.ts';
import { readProof } from '../../views/read-proof.ts';
import { type LedgerAnswer, type LookUpDeps, lookUpTransaction } from './ledger-look-up.ts';
import { type Reason, type Verification, verdict } from './verification.ts';

/** Dependencies of verifying a transaction on record. */
export interface VerifyDeps extends LookUpDeps {
  readonly store: EventStore;
  readonly gateways: readonly LedgerGateway[];
  readonly publicUrl: () => string;
  /** Ledger on which the network's proofs are anchored now; null if unknown. */
  readonly currentLedgerId: ((network: Network) => string | null) | undefined;
}

/** Maximum wait for the ledger's view of a transaction on record. */
const lookUpMs = 2_000;

/**
 * Verifies a transaction of this service from the record of its proof, independently of any
 * server's history. The ledger is asked too. The verdict is negative only if the ledger contradicts
 * the record, or is known to be gone. Returns null if the record no longer contains the anchored
 * value.
 */
export async function verifyOwnAnchor(
  deps: VerifyDeps,
  record: AnchorRecord,
): Promise<Verification | null> {
  const state = await readProof(deps, record.proofId);
  if (state.status !== 'completed') return null;
  const { anchor, request, prepared } = state;
  const memo = memoOf(request, prepared);
  if (memo === null) return null;
  const { network, standalone } = record;
  const hash = anchor.transactionHash;
  return {
    transactionHash: hash,
    txHash: hash,
    network: standalone ? 'standalone' : network,
    ...verdict(goneReason(deps, record) ?? (await contradiction(deps, record, anchor))),
    explorerUrl: explorerUrl({ network, standalone, hash, publicUrl: deps.publicUrl() }),
    verifyPageUrl: verifyPageUrl({ hash, publicUrl: deps.publicUrl() }),
    ledgerIndex: anchor.ledgerIndex,
    ledgerCloseTime: anchor.closeTimeIso,
    memo,
    account: prepared.account,
    standalone,
  };
}

/** Memo of the transaction; null if its plain digest was erased with the organisation. */
function memoOf(request: ProofRequest, prepared: PreparedAnchor): Record<string, unknown> | null {
  const { commitment, hashScheme } = request;
  const fileHash: string | undefined = commitment ?? request.fileHash;
  if (fileHash === undefined) return null;
  const previous = prepared.previousTransactionHash;
  return JSON.parse(proofMemo({ fileHash, hashScheme, previous }).data);
}

const reset: Reason = {
  reasonCode: 'LEDGER_RESET',
  reason: 'the ledger that held this transaction no longer exists: its network was reset',
};

function goneReason(
  deps: Pick<VerifyDeps, 'currentLedgerId'>,
  record: AnchorRecord,
): Reason | null {
  if (record.ledgerGone) return reset;
  const current = deps.currentLedgerId?.(record.network) ?? null;
  return current !== null && current !== record.ledgerId ? reset : null;
}

async function contradiction(
  deps: VerifyDeps,
  record: AnchorRecord,
  anchor: LedgerAnchor,
): Promise<Reason | null> {
  const gateway = deps.gateways.find(({ network }) => network === record.network);
  const status = gateway?.current();
  if (gateway === undefined || !status?.connected) return null;
  if (status.standalone !== record.standalone) return reset;
  const { transactionHash, ledgerIndex } = anchor;
  const range = { minLedger: ledgerIndex, maxLedger: ledgerIndex };
  const answer = await lookUpTransaction(deps, gateway, transactionHash, {
    timeoutMs: lookUpMs,
    range,
  });
  return contradicts(answer, anchor);
}

function contradicts(answer: LedgerAnswer, anchor: LedgerAnchor): Reason | null {
  if (answer.found === 'absent' && answer.searchedAll) {
    const reason =
      `ledger ${anchor.ledgerIndex}, which is on record for this proof, does not contain the ` +
      'transaction';
    return { reasonCode: 'LEDGER_CONTRADICTS', reason };
  }
  if (answer.found !== 'validated') return null;
  if (answer.ledgerIndex !== anchor.ledgerIndex || answer.ledgerHash !== anchor.ledgerHash) {
    const reason =
      'the network shows this transaction in a ledger other than the one on record for this proof';
    return { reasonCode: 'LEDGER_CONTRADICTS', reason };
  }
  if (answer.result === 'tesSUCCESS') return null;
  const reason = `the transaction failed with ${answer.result}`;
  return { reasonCode: 'TRANSACTION_FAILED', reason };
}
