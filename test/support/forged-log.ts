import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { signCheckpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { rootOf } from '../../src/transparency-log/tree/frontier.ts';
import { parseTilePath, type Tile, tileWidth } from '../../src/transparency-log/tree/tile.ts';

/** A published log that can lie: every field may be changed at any time. */
export interface ForgedLog {
  leaves: readonly Buffer[];
  /** Number of leaves that the checkpoint covers. */
  size: number;
  origin: string;
  seed: Buffer;
  /** Absent: the signed checkpoint over the leaves. */
  note?: string | null;
  hasTiles: boolean;
  isDown: boolean;
}

export function noteOf({ leaves, size, origin, seed }: ForgedLog): string {
  const root = rootOf(leaves.slice(0, size));
  return signCheckpoint({ origin, size, root }, [noteSigner(origin, seed)]);
}

export function tileOf({ leaves }: ForgedLog, { level, index, width }: Tile): Buffer | null {
  const span = tileWidth ** level;
  const first = index * tileWidth * span;
  if (first + width * span > leaves.length) return null;
  return Buffer.concat(
    Array.from({ length: width }, (_, n) =>
      rootOf(leaves.slice(first + n * span, first + (n + 1) * span)),
    ),
  );
}

/** Reads the log without HTTP. */
export function readerOf(log: ForgedLog) {
  const requireUp = () => {
    if (log.isDown) throw new Error('connect ECONNREFUSED');
  };
  return {
    async readCheckpoint() {
      requireUp();
      return log.note === undefined ? noteOf(log) : log.note;
    },
    async readTile(_origin: string, tile: Tile) {
      requireUp();
      return log.hasTiles ? tileOf(log, tile) : null;
    },
  };
}

/** Serves the log as a service does; returns the address. */
export async function serveForgedLog(t: Pick<Test, 'teardown'>, log: ForgedLog): Promise<string> {
  const reader = readerOf(log);
  const server = createServer(async (req, res) => {
    const path = (req.url ?? '').replace('/log/', '');
    const tile = parseTilePath(path);
    const read =
      path === 'checkpoint' ? reader.readCheckpoint() : tile && reader.readTile('', tile);
    const body = await Promise.resolve(read).catch(() => undefined);
    res.writeHead(body === undefined ? 503 : body === null ? 404 : 200).end(body ?? '');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
