import { networkObstacles } from '../http/service/network-obstacles.ts';
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
  const { others } = anchoringNetworks(configured, anchorings);
  return async () => {
    const stops = (await uploadSpace?.stops()) ?? [];
    return [
      ...stops.map((stop) =>
        stop === 'writeFailed'
          ? 'uploads: refused, a file found no space in the storage'
          : `uploads: refused, the disk of ${stop.folder} is nearly full`,
      ),
      ...others.flatMap((other) => networkObstacles(other, `anchoring on ${other.gateway.name()}`)),
    ];
  };
}
