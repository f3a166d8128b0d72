import { load } from '../commands/load.ts';
import { loadCertifiedFile } from '../commands/load-certified-file.ts';
import { proofDecider } from '../domain/proof/decider.ts';
import type { ProofState, VisibleProof } from '../domain/proof/state.ts';
import { streams } from '../domain/streams.ts';
import type { ProofId } from '../domain/ulid.ts';
import { ledgerOf, type ProofViewOptions } from './proof-view.ts';
import type { RouteDeps } from './route-deps.ts';

/** The proof as the log has it now. */
export async function readProof(
  { store }: Pick<RouteDeps, 'store'>,
  proofId: ProofId,
): Promise<ProofState> {
  return (await load(store, streams.proof(proofId), proofDecider)).state;
}

/** As lists and certificates have it: a hash posted alone may be a document with a name by now. */
export async function readFileName(
  { store }: Pick<RouteDeps, 'store'>,
  { request }: VisibleProof,
): Promise<string | null> {
  if (request.document !== null) return request.fileName;
  return (await loadCertifiedFile(store, request)).fileName;
}

/** What viewing this proof needs to know besides its state. */
export async function viewOptions(
  { ledgers, publicUrl }: Pick<RouteDeps, 'ledgers' | 'publicUrl'>,
  state: VisibleProof,
  withNonce: boolean,
): Promise<ProofViewOptions> {
  const ledgerId = ledgerOf(state);
  const standalone = ledgerId !== null && (await ledgers.isStandalone(ledgerId));
  return { withNonce, standalone, publicUrl: publicUrl() };
}
