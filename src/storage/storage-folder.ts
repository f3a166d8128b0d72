import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isUlid } from '../domain/ulid.ts';
import { missing } from '../files/missing.ts';
import { erasuresName } from './erasure-notes.ts';
import { logMarkName } from './log-mark.ts';
import { StorageUnavailable } from './storage-unavailable.ts';

/** Folder of uploads in progress. A folder without it is taken for an unmounted volume. */
export const stagingName = '.staging';

/** Folder of the published log, beside the folders of organisations. */
export const logFolder = 'log';

const ownNames: ReadonlySet<string> = new Set([logFolder, logMarkName, erasuresName]);

/** Rejects if the volume of the folder is not mounted: a missing file proves nothing then. */
export async function checkMounted(folder: string): Promise<void> {
  if ((await stat(join(folder, stagingName)).catch(missing(null))) !== null) return;
  throw new StorageUnavailable(
    `the folder ${folder} has no ${stagingName}: its volume is not mounted, or its files are lost (docs/runbook.md, "The storage is lost too")`,
  );
}

/** True for a folder with files of a storage, such as a copy that was made without `.staging`. */
export async function holdsFiles(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(missing([]));
  return names.some((name) => ownNames.has(name) || isUlid(name));
}
