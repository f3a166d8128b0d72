import { projections } from '../../projections/registry.ts';
import { createCommitProbe } from '../event-store/commit-probe.ts';
import { readinessOf } from '../http/service/readiness.ts';
import type { RunningAnchoring } from '../reactors/anchoring/run-anchoring.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';

/** Makes the readiness check of this process. */
export function findReadiness(
  { database: { db, pool }, store }: Core,
  configured: readonly NetworkParts[],
  anchorings: readonly RunningAnchoring[],
): () => Promise<readonly string[]> {
  return readinessOf({
    db,
    store,
    projections,
    gateways: configured.map(({ gateway }) => gateway),
    commits: createCommitProbe(pool),
    paused: () => anchorings.map((anchoring) => anchoring.paused()),
  });
}
