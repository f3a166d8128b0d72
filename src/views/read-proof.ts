import { isLedgerAttested } from '../../projections/evidence/query.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofState, VisibleProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import { load } from '../event-store/handling/load.ts';
import { loadCertifiedFile } from '../loading/load-certified-file.ts';
import type { ReadModels } from '../subscriptions/projection.ts';
import { isStandalone } from './known-ledgers.ts';
import { ledgerOf, type ProofViewOptions, type ViewedFile } from './proof-view.ts';
import type { ViewDeps } from './view-deps.ts';

/** Current state of the proof in the log. */
export async function readProof(
  { store }: Pick<ViewDeps, 'store'>,
  proofId: ProofId,
): Promise<ProofState> {
  return (await load(store, streams.proof(proofId), proofDecider)).state;
}

/** The file as in lists and certificates: a hash posted alone may have become a named document. */
export async function readFile(
  { store }: Pick<ViewDeps, 'store'>,
  { request }: VisibleProof,
): Promise<ViewedFile> {
  return request.document === null ? loadCertifiedFile(store, request) : request;
}

/** Returns the inputs of the proof's JSON besides its state. */
export async function viewOptions(
  { ledgers, publicUrl }: Pick<ViewDeps, 'ledgers' | 'publicUrl'>,
  state: VisibleProof,
  withNonce: boolean,
): Promise<ProofViewOptions> {
  const { network } = state.request;
  const standalone = await isStandalone(ledgers, { network, ledgerId: ledgerOf(state) });
  return { withNonce, standalone, publicUrl: publicUrl() };
}

/** Returns the inputs of the proof's JSON with the status fields. */
export async function statusOptions(
  deps: Pick<ViewDeps, 'db' | 'ledgers' | 'publicUrl'>,
  state: VisibleProof,
  withNonce: boolean,
): Promise<ProofViewOptions & { readonly isAttested: boolean }> {
  const [options, isAttested] = await Promise.all([
    viewOptions(deps, state, withNonce),
    isProofAttested(deps.db, state),
  ]);
  return { ...options, isAttested };
}

/** True if signatures of validators for the ledger of the proof are on record. */
export async function isProofAttested(db: ReadModels, state: VisibleProof): Promise<boolean> {
  return state.status === 'completed' && isLedgerAttested(db, state.anchor);
}
