import { readOrCreateKey } from './key-file.ts';

/**
 * Reads the key in `DATA_DIR/log-key` that signs the checkpoints of the log, or creates it at the
 * first call. With `mayCreate: false`, for a log with signed checkpoints, a missing key is an
 * error: followers of the log would not recognise another one. Rejects with `KeyFileError`.
 */
export function readOrCreateLogKey(
  dataDir: string,
  { mayCreate = true }: { readonly mayCreate?: boolean } = {},
): Promise<Buffer> {
  const ifLost =
    'but checkpoints of the log were signed with it: restore your copy of it, or, if it is lost, ' +
    'set LOG_KEY to a new one (`openssl rand -base64 32`) and inform the auditors of the log';
  return readOrCreateKey({ dataDir, name: 'log-key', mayCreate, ifLost });
}
