import { readOrCreateKey } from './key-file.ts';

/**
 * Reads the master key in `DATA_DIR/master-key`, or creates it at the first call. Without this key
 * no confidential field in the database can be read. With `mayCreate: false` a missing key is an
 * error. Rejects with `KeyFileError`.
 */
export function readOrCreateMasterKey(
  dataDir: string,
  { mayCreate = true }: { readonly mayCreate?: boolean } = {},
): Promise<Buffer> {
  const ifLost = 'but the database has data encrypted with it: restore your copy of it';
  return readOrCreateKey({ dataDir, name: 'master-key', mayCreate, ifLost });
}
