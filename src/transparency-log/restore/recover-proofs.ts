import type { Backlog } from '../../anchoring-state/backlog.ts';
import type { OpenProof } from '../../anchoring-state/open-proofs.ts';
import { recoverGivingUp } from '../../commands/recover-giving-up.ts';
import type { AccountEvent } from '../../domain/account/events.ts';
import { closeTimeIso } from '../../domain/ledger/close-time.ts';
import type { SignedTransaction, ValidatedTransaction } from '../../domain/ledger/transaction.ts';
import { proofDecider } from '../../domain/proof/decider.ts';
import { type ProofMemo, readProofMemo } from '../../domain/proof/memo.ts';
import { streams } from '../../domain/streams.ts';
import type { ProofId } from '../../domain/ulid.ts';
import { OperatorError } from '../../errors/operator-error.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { fold } from '../../event-store/handling/load.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import type { SentTransaction } from '../../ledger/contract.ts';
import { readTransactionResult } from '../../ledger/transaction-result.ts';
import { type FateGateway, fateOfKnown, signaturesOf } from './fate-of-known.ts';
import { revisionsPassedOver } from './passed-over.ts';

interface Deps {
  readonly store: EventStore;
  readonly gateway: FateGateway;
  readonly meta: EventMeta;
  readonly ledgerId: string;
}

/** Open proofs of a network by the commitment in their transactions, the oldest first. */
export class OpenCommitments {
  readonly #proofs = new Map<string, OpenProof[]>();

  constructor(backlog: Backlog) {
    for (const proof of [...backlog.processing(), ...backlog.pending()]) {
      const { commitment, fileHash, hashScheme } = proof.state.request;
      const key = keyOf({ hashScheme, fileHash: commitment ?? fileHash });
      this.#proofs.set(key, [...(this.#proofs.get(key) ?? []), proof]);
    }
    for (const proofs of this.#proofs.values()) {
      proofs.sort((a, b) => (a.state.request.requestedAt < b.state.request.requestedAt ? -1 : 1));
    }
  }

  /**
   * Open proofs for this memo, the oldest first. A proof that the log knows as signed with this
   * transaction comes before all others.
   */
  of(memo: ProofMemo, transactionHash: string): readonly OpenProof[] {
    const proofs = this.#proofs.get(keyOf(memo)) ?? [];
    const own = proofs.filter(({ state }) =>
      signaturesOf(state).some((signed) => signed.transactionHash === transactionHash),
    );
    return [...own, ...proofs.filter((proof) => !own.includes(proof))];
  }

  /** Removes a proof that no other transaction can be of. */
  close(memo: ProofMemo, closed: OpenProof): void {
    const proofs = this.#proofs.get(keyOf(memo)) ?? [];
    this.#proofs.set(
      keyOf(memo),
      proofs.filter((proof) => proof !== closed),
    );
  }
}

function keyOf({ hashScheme, fileHash }: Pick<ProofMemo, 'hashScheme' | 'fileHash'>): string {
  return `${hashScheme} ${fileHash}`;
}

/**
 * Records a forgotten transaction with the oldest open proof that it can have anchored, as if it had
 * just been signed for that proof. Several proofs may have the same commitment. Resolves with false
 * if none fits: the transaction is lost. Rejects if the servers' history is too short.
 */
export async function recoverProof(
  deps: Deps,
  open: OpenCommitments,
  sent: SentTransaction,
  account: string,
): Promise<boolean> {
  const memo = ownMemo(sent);
  const { sequence } = sent;
  // Every transaction that we sign has a Sequence.
  if (memo === null || sequence === null) return false;
  for (const proof of open.of(memo, sent.hash)) {
    const found = await putOnRecord(deps, proof.proofId, memo, { ...sent, sequence }, account);
    if (found !== 'names another') open.close(memo, proof);
    if (found === 'recorded') return true;
  }
  return false;
}

type Found =
  | 'recorded'
  /** The proof needs no other transaction. */
  | 'settled'
  /** The memo names another previous transaction than a memo of this proof. */
  | 'names another';

async function putOnRecord(
  deps: Deps,
  proofId: ProofId,
  memo: ProofMemo,
  sent: SentTransaction & { readonly sequence: number },
  account: string,
): Promise<Found> {
  const { store, ledgerId, meta } = deps;
  const stream = streams.proof(proofId);
  const { state, version } = fold(await store.readStream(stream), proofDecider);
  if (state.status !== 'pending' && state.status !== 'processing') return 'settled';
  const previous = memo.previous ?? null;
  const own = { account, sequence: sent.sequence };
  const passedOver = await revisionsPassedOver(deps, state.request, memo, own);
  if (passedOver === null) return 'names another';
  const known = await fateOfKnown(deps, state, own);
  if (known.isAnchored) return 'settled';
  const validated = await evidenceOf(deps, sent);
  const signed: SignedTransaction = {
    ledgerId,
    transactionHash: sent.hash,
    blob: sent.blob,
    account,
    sequence: sent.sequence,
    feeDrops: sent.feeDrops,
    minLedger: sent.ledgerIndex - 1,
    lastLedgerSequence: sent.lastLedgerSequence ?? sent.ledgerIndex,
    replaces: null,
  };
  const { hashScheme, organisationId } = state.request;
  const prepared = { ...signed, hashScheme, previousTransactionHash: previous };
  const { proof: events } = proofDecider.recoverAnchor(state, prepared, validated, known.failed);
  const taken: AccountEvent = {
    type: 'SequencesTaken',
    data: { ledgerId, account, taken: [{ sequence: sent.sequence, proofId }] },
  };
  const sender = streams.account(ledgerId, account);
  const entries = [
    { organisationId, stream, expectedVersion: version, events },
    {
      organisationId: null,
      stream: sender,
      expectedVersion: await store.versionOf(sender),
      events: [taken],
    },
  ];
  // After all that can reject.
  for (const one of passedOver) await recoverGivingUp(store, one.proofId, one.failed, meta);
  await store.append(entries, meta);
  return 'recorded';
}

/** Takes the evidence from the whole ledger, which was checked against its hash. */
async function evidenceOf(
  { gateway, ledgerId }: Deps,
  { hash: transactionHash, ledgerIndex }: SentTransaction,
): Promise<ValidatedTransaction> {
  const ledger = await gateway.ledger(ledgerIndex);
  const found = ledger?.transactions.find(({ hash }) => hash === transactionHash);
  if (!ledger || !found) {
    throw new OperatorError(
      `no server of ${gateway.network} shows ledger ${ledgerIndex} with transaction ` +
        `${transactionHash}: add a server with more history, and run the command again`,
    );
  }
  return {
    ledgerId,
    transactionHash,
    ledgerIndex,
    ledgerHash: ledger.hash,
    closeTime: ledger.closeTime,
    closeTimeIso: closeTimeIso(ledger.closeTime),
    transactionIndex: readTransactionResult(found.metadata).transactionIndex,
    metadata: found.metadata,
    ledgerHeader: ledger.header,
  };
}

function ownMemo({ engineResult, memos }: SentTransaction): ProofMemo | null {
  const { memo, wellFormed } = readProofMemo(memos);
  // A well-formed memo has exactly these members.
  return engineResult === 'tesSUCCESS' && wellFormed ? (memo as unknown as ProofMemo) : null;
}
