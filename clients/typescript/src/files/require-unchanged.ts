import { ProofmarkError } from '../errors.ts';

/**
 * Rejects with FILE_CHANGED if the file can no longer be read as it was. `fetch` does not tell this from a
 * broken connection, and no repetition succeeds.
 */
export async function requireUnchanged(file: Blob | null): Promise<void> {
  try {
    await file?.slice(0, 1).arrayBuffer();
  } catch (cause) {
    const message = 'the file was altered, moved or removed since it was opened for the upload';
    throw new ProofmarkError('FILE_CHANGED', message, { cause });
  }
}
