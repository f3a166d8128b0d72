import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What the system's own tools take to hash a file and to copy it on its disk, in milliseconds. */
export interface HashAndCopy {
  readonly sha256sumMs: number;
  readonly copyMs: number;
}

/** The copy is removed again. It is not synced: that would be more than is compared with. */
export async function hashAndCopy(path: string): Promise<HashAndCopy> {
  const sha256sumMs = await timed(() => promisify(execFile)('sha256sum', [path]));
  const copy = `${path}.copy`;
  const copyMs = await timed(() => promisify(execFile)('cp', [path, copy]));
  await rm(copy);
  return { sha256sumMs, copyMs };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
