import type { AccountEvent, GapFillPrepared } from '../../domain/account/events.ts';
import { planSequences } from '../../domain/account/sequences.ts';
import { prepareAnchor } from '../../domain/proof/decide.ts';
import { type LedgerMemo, proofMemo } from '../../domain/proof/memo.ts';
import type { PreparedAnchor } from '../../domain/proof/state.ts';
import { streams } from '../../domain/streams.ts';
import type { StreamAppend } from '../../event-store/event-store.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import { signAnchor } from '../../ledger/anchor-transaction.ts';
import type { Signer } from '../../ledger/signer.ts';
import type { AccountHold } from './account-hold.ts';
import type { SignableProof } from './open-proofs.ts';
import type { SignedOnRecord } from './outstanding.ts';
import type { SettlementDeps } from './settlement.ts';

/** How far ahead of the newest validated ledger a transaction may still get in. */
const ledgersToLive = 8;
export const maxBatch = 250;

/** What a batch is signed with: the ledger it is for and the fee of each transaction. */
export interface SigningTerms {
  readonly ledgerId: string;
  readonly minLedger: number;
  readonly feeDrops: number;
  /** How many transactions of one account may be outstanding at once. */
  readonly maxOutstanding: number;
}

/**
 * Signs transactions for waiting proofs, and no-ops for gaps, from one held account, and puts all
 * of them on record in one append together with the account's Sequences. Returns what is to be
 * submitted, in the order of Sequences; nothing if somebody else got ahead, in which case the
 * backlog and the hold have been brought up to date and the caller tries again.
 */
export async function prepareBatch(
  deps: Pick<SettlementDeps, 'store' | 'backlog' | 'position'>,
  hold: AccountHold,
  proofs: readonly SignableProof[],
  outstanding: ReadonlySet<number>,
  terms: SigningTerms,
): Promise<readonly SignedOnRecord[]> {
  const { store, backlog, position } = deps;
  const { signer, validatedSequence } = hold;
  const streamVersion = hold.fence.versionAt(position());
  if (signer === null || streamVersion === null || validatedSequence === null) return [];
  // What was validated since the ledger was asked has been folded into the backlog.
  const applied = backlog.appliedSequence(terms.ledgerId, hold.address);
  const view = { validated: Math.max(validatedSequence, applied + 1), outstanding };
  const plan = planSequences(view, Math.min(proofs.length, maxBatch), terms.maxOutstanding);
  const gapFills = plan.gaps
    .slice(0, maxBatch)
    .map((sequence) => sign(signer, sequence, terms, null));
  const anchors = plan.sequences.flatMap((sequence, index) => {
    const proof = proofs[index];
    return proof ? [{ proof, prepared: signProof(signer, proof, sequence, terms) }] : [];
  });
  if (anchors.length === 0 && gapFills.length === 0) return [];

  const account = accountEntry(hold, streamVersion, anchors, gapFills, terms);
  const entries = anchors.map(({ proof, prepared }) => proofEntry(proof, prepared));
  let eventIds: readonly string[];
  try {
    ({ eventIds } = await store.append([...entries, account], { actor: 'anchoring' }));
  } catch (error) {
    if (!(error instanceof VersionConflict)) {
      // It may be on record or not: both are read from the log before anything else is signed.
      hold.forget();
      await backlog.adopt(
        store,
        anchors.map(({ proof }) => proof.proofId),
      );
      throw error;
    }
    if (error.conflicts.some(({ stream }) => stream === account.stream)) hold.forget();
    await backlog.adopt(
      store,
      anchors.map(({ proof }) => proof.proofId),
    );
    return [];
  }
  hold.fence.appended(account.events.length);
  anchors.forEach(({ proof, prepared }, index) => {
    const id = eventIds[index] ?? '';
    backlog.appended(proof, [{ type: 'AnchorPrepared', data: prepared }], [id]);
  });
  // The account's events come last, gap fills first among them.
  const filled = gapFills.map((gapFill, index) => {
    return { ...gapFill, eventId: eventIds[anchors.length + index] ?? '' };
  });
  backlog.gapFillsPrepared(account.stream, streamVersion + account.events.length, filled);
  const signed: SignedOnRecord[] = [...filled, ...anchors.map(({ prepared }) => prepared)];
  return signed.sort((a, b) => a.sequence - b.sequence);
}

function signProof(
  signer: Signer,
  proof: SignableProof,
  sequence: number,
  terms: SigningTerms,
): PreparedAnchor {
  const { fileHash, commitment, hashScheme } = proof.state.request;
  const { previous } = proof;
  const memo = proofMemo({ fileHash: commitment ?? fileHash, hashScheme, previous });
  const signed = sign(signer, sequence, terms, memo);
  return { ...signed, hashScheme, previousTransactionHash: previous };
}

function sign(
  signer: Signer,
  sequence: number,
  { ledgerId, minLedger, feeDrops }: SigningTerms,
  memo: LedgerMemo | null,
): GapFillPrepared['data'] {
  const lastLedgerSequence = minLedger + ledgersToLive;
  const { blob, hash } = signAnchor({ sequence, feeDrops, lastLedgerSequence, memo }, signer);
  const account = signer.address;
  const transactionHash = hash;
  return {
    ledgerId,
    transactionHash,
    blob,
    account,
    sequence,
    feeDrops,
    minLedger,
    lastLedgerSequence,
  };
}

function proofEntry(proof: SignableProof, prepared: PreparedAnchor): StreamAppend {
  return {
    organisationId: proof.state.request.organisationId,
    stream: streams.proof(proof.proofId),
    expectedVersion: proof.version,
    causedBy: proof.causeId,
    events: prepareAnchor(proof.state, prepared).proof,
  };
}

function accountEntry(
  hold: AccountHold,
  expectedVersion: number,
  anchors: readonly { readonly proof: SignableProof; readonly prepared: PreparedAnchor }[],
  gapFills: readonly GapFillPrepared['data'][],
  { ledgerId }: SigningTerms,
): StreamAppend {
  const account = hold.address;
  const taken = anchors.map(({ proof, prepared }) => ({
    sequence: prepared.sequence,
    proofId: proof.proofId,
  }));
  const events: AccountEvent[] = gapFills.map((data) => ({ type: 'GapFillPrepared', data }));
  if (taken.length > 0) events.push({ type: 'SequencesTaken', data: { ledgerId, account, taken } });
  return {
    organisationId: null,
    stream: hold.fence.stream,
    expectedVersion,
    events,
  };
}
