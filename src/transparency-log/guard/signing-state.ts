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
  /** The servers that show this ledger. */
  readonly epoch: string;
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
  const epoch = await requireKnownLedger(gateway, fold);
  return {
    epoch,
    logId: fold.backlog.checkpoint.log.state.logId,
    ledgerId: fold.ledger?.ledgerId ?? '',
    accounts: [...fold.retired, ...Object.keys(fold.summary.outstanding)],
    openCommitments: () => openCommitments(fold),
  };
}

/**
 * Resolves with the epoch of the servers that show the known ledger. They are asked again if a server was
 * set aside by the answer, or has connected meanwhile.
 */
async function requireKnownLedger(
  gateway: LedgerGateway,
  { ledger }: AnchoringFold,
): Promise<string> {
  for (let asked = 0; ; asked += 1) {
    const status = gateway.current();
    if (!status.connected) throw new LedgerUnavailable(status.reason);
    const { epoch, tip } = status;
    if (ledger !== null && !(await confirmLedger(gateway, ledger, tip))) {
      throw new LedgerUnavailable(
        `the servers of ${gateway.name()} are behind the newest known ledger`,
      );
    }
    if (isOfEpoch(gateway, epoch)) return epoch;
    if (asked >= mostAsked) throw new LedgerUnavailable(changed(gateway));
  }
}

const mostAsked = 3;

/**
 * Rejects with `LedgerUnavailable` if other servers were connected since the state was read: they may
 * show another ledger, and have answered.
 */
export function requireSameServers(gateway: LedgerGateway, { epoch }: SigningState): void {
  if (!isOfEpoch(gateway, epoch)) throw new LedgerUnavailable(changed(gateway));
}

function isOfEpoch(gateway: LedgerGateway, epoch: string): boolean {
  const status = gateway.current();
  return status.connected && status.epoch === epoch;
}

function changed(gateway: LedgerGateway): string {
  return `the servers of ${gateway.name()} have changed while they were asked`;
}

function openCommitments({ backlog }: AnchoringFold): ReadonlySet<unknown> {
  const open = new Set<unknown>();
  for (const { state } of [...backlog.pending(), ...backlog.processing()]) {
    open.add(state.request.commitment ?? state.request.fileHash);
  }
  return open;
}
