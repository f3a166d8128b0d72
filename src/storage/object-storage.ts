import type { Readable } from 'node:stream';
import type { BlobKey } from '../domain/blob/blob-key.ts';
import type { FileEncryption } from '../encrypted-files/file-encryption.ts';
import type { BlobForm } from './blob-form.ts';
import type { BlobStorage, ListedBlob, StagedBlob } from './contract.ts';

/**
 * A folder or bucket that keeps the bytes of blobs in either form, and knows no keys. Methods that
 * it shares with `BlobStorage`, and its errors, are described there.
 */
export interface ObjectStorage
  extends Pick<
    BlobStorage,
    | 'deleteAll'
    | 'sweepStaged'
    | 'sweepHalfSent'
    | 'readLogMark'
    | 'writeLogMark'
    | 'noteErasure'
    | 'erasures'
    | 'close'
  > {
  /** As `BlobStorage.stage`. An error of `encryption` ends the source too, and is thrown. */
  stage(source: Readable, encryption: () => Promise<FileEncryption>): Promise<StagedBlob>;

  /** As `BlobStorage.put`; stores the encrypted form. */
  put(key: BlobKey, staged: StagedBlob): Promise<void>;

  /** Null if the blob is not stored in this form. The bytes must be read or destroyed. */
  open(key: BlobKey, form: BlobForm): Promise<StoredObject | null>;

  /** Deletes one form of one blob for good; does nothing if it is not stored. */
  delete(key: BlobKey, form: BlobForm): Promise<void>;

  /** As `BlobStorage.list`; a blob in both forms is listed twice. */
  list(): AsyncIterable<ListedObject>;
}

export interface StoredObject {
  /** Absent if the storage does not tell. */
  readonly sizeBytes: number | undefined;
  readonly bytes: Readable;
}

export interface ListedObject extends ListedBlob {
  readonly form: BlobForm;
}
