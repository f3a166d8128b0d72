import { networkDelays, networkObstacles } from '../http/service/network-obstacles.ts';
import type { UploadSpace } from '../storage/contract.ts';
import {
  anchoringNetworks,
  type CheckedAnchoring,
  type CheckedNetwork,
} from './anchoring-networks.ts';

/** Names the parts of this process that do not work although it is ready, for `/readyz`. */
export function findDegraded(
  uploadSpace: Pick<UploadSpace, 'stops'> | null,
  configured: readonly CheckedNetwork[],
  anchorings: readonly CheckedAnchoring[],
): () => Promise<readonly string[]> {
  const { newProofs, others } = anchoringNetworks(configured, anchorings);
  return async () => {
    const stops = (await uploadSpace?.stops()) ?? [];
    return [
      ...stops.map((stop) =>
        stop === 'writeFailed'
          ? 'uploads: refused, a file found no space in the storage'
          : `uploads: refused, the disk of ${stop.folder} is nearly full`,
      ),
      ...networkDelays(newProofs, 'anchoring'),
      ...others.flatMap((other) => {
        const anchoring = `anchoring on ${other.gateway.name()}`;
        return [...networkObstacles(other, anchoring), ...networkDelays(other, anchoring)];
      }),
    ];
  };
}
