import { type Tile, tilePath } from '../../src/domain/log/tile.ts';
import type { LogStorage } from '../../src/storage/contract.ts';

const timeoutMs = 30_000;

/** What is published of a log as everybody gets it, at `<address>/log/…` (C2SP tlog-tiles). */
export function publicLog(address: string): Pick<LogStorage, 'readCheckpoint' | 'readTile'> {
  const get = async (path: string): Promise<Buffer | null> => {
    const url = `${address.replace(/\/$/, '')}/log/${path}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  return {
    readCheckpoint: async () => (await get('checkpoint'))?.toString('utf8') ?? null,
    readTile: (_origin: string, tile: Tile) => get(tilePath(tile)),
  };
}
