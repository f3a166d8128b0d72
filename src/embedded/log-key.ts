import { readOrCreateKey } from './key-file.ts';

/**
 * The key kept in `DATA_DIR/log-key` that signs the checkpoints of the log, made at the first call.
 * With `mayCreate: false`, where checkpoints were signed already, a missing one is an error: those who
 * follow the log would not know another. Rejects with `KeyFileError`.
 */
export function readOrCreateLogKey(
  dataDir: string,
  { mayCreate = true }: { readonly mayCreate?: boolean } = {},
): Promise<Buffer> {
  const ifLost =
    'but checkpoints of the log were signed with it: put back the copy you kept, or, if it is lost, ' +
    'set LOG_KEY to a new one (`openssl rand -base64 32`) and tell those who follow the log';
  return readOrCreateKey({ dataDir, name: 'log-key', mayCreate, ifLost });
}
