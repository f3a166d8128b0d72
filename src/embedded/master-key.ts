import { readOrCreateKey } from './key-file.ts';

/**
 * The master key kept in `DATA_DIR/master-key`, made at the first call. Without it nothing confidential
 * in the database can be read again. With `mayCreate: false` a missing one is an error. Rejects with
 * `KeyFileError`.
 */
export function readOrCreateMasterKey(
  dataDir: string,
  { mayCreate = true }: { readonly mayCreate?: boolean } = {},
): Promise<Buffer> {
  const ifLost = 'but the database holds what was sealed with it: put back the copy you kept';
  return readOrCreateKey({ dataDir, name: 'master-key', mayCreate, ifLost });
}
