import { chmod, mkdir } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/**
 * Folder for data and programs that PostgreSQL's user cannot reach in place, if we are root. Must
 * survive reboots, so it is not under /tmp.
 */
export const defaultReachableDir = '/var/lib/proofmark';

/** Creates it so that any user may enter. Called only as root. */
export async function createReachableDir(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    await chmod(folder, 0o755);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'FOLDER_UNREACHABLE',
      `PostgreSQL does not run as root and its user cannot enter this project, but ${folder} cannot be created for it (${cause instanceof Error ? cause.message : cause}): start as an ordinary user, or set DATABASE_URL`,
      { cause },
    );
  }
}
