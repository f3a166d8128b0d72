import type { UploadSpace } from '../storage/contract.ts';

/** Names the parts of this process that do not work although it is ready, for `/readyz`. */
export function findDegraded(
  uploadSpace: Pick<UploadSpace, 'stops'> | null,
): () => Promise<readonly string[]> {
  return async () => {
    const stops = (await uploadSpace?.stops()) ?? [];
    return stops.map((stop) =>
      stop === 'writeFailed'
        ? 'uploads: refused, a file found no space in the storage'
        : `uploads: refused, the disk of ${stop.folder} is nearly full`,
    );
  };
}
