import { projections } from '../../projections/registry.ts';
import { createCommitProbe } from '../event-store/commit-probe.ts';
import { readinessOf } from '../http/service/readiness.ts';
import {
  anchoringNetworks,
  type CheckedAnchoring,
  type CheckedNetwork,
} from './anchoring-networks.ts';
import type { Core } from './start-core.ts';

/** Makes the readiness check of this process. Only the network of new proofs is part of it. */
export function findReadiness(
  { database: { db, pool }, store }: Checked,
  configured: readonly CheckedNetwork[],
  anchorings: readonly CheckedAnchoring[],
): () => Promise<readonly string[]> {
  return readinessOf({
    db,
    store,
    projections,
    commits: createCommitProbe(pool),
    network: anchoringNetworks(configured, anchorings).newProofs,
  });
}

type Checked = Pick<Core, 'store'> & { readonly database: Pick<Core['database'], 'db' | 'pool'> };
