import type { VisibleProof } from '../../domain/proof/state.ts';
import type { RecordedRun } from '../../domain/run/state.ts';
import { findRunProof } from '../../loading/find-run-proof.ts';
import { type StatedRun, stateRun } from '../../run-statement/state-run.ts';
import type { ProofStatus } from '../../views/proof-schema.ts';
import { viewProofStatus } from '../../views/proof-view.ts';
import { readFile, statusOptions } from '../../views/read-proof.ts';
import type { ViewDeps } from '../../views/view-deps.ts';

export type RunProofViewDeps = Pick<ViewDeps, 'db' | 'store' | 'ledgers' | 'publicUrl'>;

/** The proof of the run's statement; null if there is none. */
export async function proofOfRun(
  store: ViewDeps['store'],
  run: RecordedRun,
  stated?: Pick<StatedRun, 'digest'>,
): Promise<VisibleProof | null> {
  if (run.workspaceId === null) return null;
  return findRunProof(store, run, (stated ?? stateRun(run)).digest);
}

/** The member `proof` of a run, without the nonce; no member without a proof. */
export async function viewRunProof(
  deps: RunProofViewDeps,
  proof: VisibleProof | null,
): Promise<{ readonly proof?: ProofStatus }> {
  if (proof === null) return {};
  const options = await statusOptions(deps, proof, false);
  return { proof: viewProofStatus(proof, options, await readFile(deps, proof)) };
}
