import type { LedgerGateway } from '../ledger/contract.ts';
import { LedgerUnavailable } from '../ledger/ledger-unavailable.ts';
import type { SigningState } from '../transparency-log/guard/compare-sent.ts';
import type { AnchoringFold } from './anchoring-fold.ts';
import { confirmLedger } from './ledger-identity.ts';
import { type AnchoringSource, foldAnchoring } from './read-anchoring.ts';

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
