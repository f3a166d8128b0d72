import type { AnchoringFold } from '../../anchoring-state/anchoring-fold.ts';
import { confirmLedger } from '../../anchoring-state/ledger-identity.ts';
import { type AnchoringSource, foldAnchoring } from '../../anchoring-state/read-anchoring.ts';
import type { LedgerGateway } from '../../ledger/contract.ts';
import { LedgerUnavailable } from '../../ledger/ledger-unavailable.ts';

/** State of the log that concerns signing on one network. */
export interface SigningState {
  readonly logId: string;
  /** Empty if the log knows no ledger of the network yet. */
  readonly ledgerId: string;
  /** Accounts that are retired or have open transactions. */
  readonly accounts: readonly string[];
  /** Commitments and file hashes that open proofs will anchor. */
  openCommitments(): ReadonlySet<unknown>;
}

/**
 * Reads the log's state for signing on a network, after checking that the servers show the ledger
 * that the log knows. Rejects with `LedgerUnavailable`, `StoreUnavailable`, `OtherLedger` and
 * `UnrecognisedLedger`.
 */
export async function readSigningState(
  source: AnchoringSource,
  gateway: LedgerGateway,
): Promise<SigningState> {
  const fold = await foldAnchoring(source, gateway.network);
  await requireKnownLedger(gateway, fold);
  return {
    logId: fold.backlog.checkpoint.log.state.logId,
    ledgerId: fold.ledger?.ledgerId ?? '',
    accounts: [...fold.retired, ...Object.keys(fold.summary.outstanding)],
    openCommitments: () => openCommitments(fold),
  };
}

async function requireKnownLedger(gateway: LedgerGateway, { ledger }: AnchoringFold) {
  const status = gateway.current();
  if (!status.connected) throw new LedgerUnavailable(status.reason);
  if (ledger === null || (await confirmLedger(gateway, ledger, status.tip))) return;
  throw new LedgerUnavailable(
    `the servers of ${gateway.name()} are behind the newest known ledger`,
  );
}

function openCommitments({ backlog }: AnchoringFold): ReadonlySet<unknown> {
  const open = new Set<unknown>();
  for (const { state } of [...backlog.pending(), ...backlog.processing()]) {
    open.add(state.request.commitment ?? state.request.fileHash);
  }
  return open;
}
