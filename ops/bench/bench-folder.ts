import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A DATA_DIR to be in a folder of its own, for one benchmark. */
export interface BenchFolder {
  readonly dataDir: string;
  remove(): Promise<void>;
}

/** In the system's folder for temporary files; TMPDIR names another one, on the disk to measure. */
export async function createBenchFolder(): Promise<BenchFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-bench-'));
  // PostgreSQL does not run as root: its user has to get in.
  await chmod(folder, 0o755);
  return {
    dataDir: join(folder, 'data'),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
