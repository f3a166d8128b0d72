import type { Readable } from 'node:stream';
import type { BlobKey } from '../domain/blob/blob-key.ts';
import type { Digest } from '../domain/proof/digest.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { EncryptedFile } from '../encrypted-files/segment-reader.ts';
import type { LogMark } from './log-mark.ts';

/**
 * Stores the bytes of uploads, encrypted under the data key of their organisation. An upload is
 * first staged on local disk, so that its bytes can be checked, and then put under a key of its own.
 *
 * Every method rejects with `StorageUnavailable` within bounded time when the storage cannot be
 * used. With a shared folder, writes, listings and sweeps last as long as its mount waits. An invalid
 * key is a `TypeError`: a bug.
 */
export interface BlobStorage {
  /**
   * Receives an upload of an organisation: encrypts the whole source into a private local file
   * while hashing it, in constant memory. The upload cannot be opened or listed yet. If the source
   * fails or is destroyed, the file is removed and that error is thrown. The caller must put or
   * discard the staged blob. Refuses with `OrganisationShut` if the organisation has no keys.
   */
  stage(organisationId: OrganisationId, source: Readable): Promise<StagedBlob>;

  /**
   * Stores a staged blob under a new key of its organisation, or again under its own key to replace
   * a damaged copy; never other bytes. Resolves when the blob is on stable storage: it survives the end of the
   * process and a power failure. No partial blob is ever visible under the key.
   *
   * The staged blob is used up, with any outcome. After a rejection it is unknown if the blob is
   * stored: no event may ever name the key. The sweep removes any stored bytes. A retry needs the
   * upload again, under another key.
   */
  put(key: BlobKey, staged: StagedBlob): Promise<void>;

  /**
   * The stored bytes, decrypted; size and hash are verified while reading. The stream ends only if
   * all bytes are right. Otherwise the stream fails with `BlobCorrupt` before the last bytes are
   * handed out, or with `StorageUnavailable` if the storage becomes unavailable. Of an encrypted
   * blob, no byte of a damaged segment or of another file is handed out. Rejects with `BlobMissing`,
   * with `BlobCorrupt` if the size is wrong, and with `BlobUndecipherable` if the keys of the
   * organisation are destroyed. If they are destroyed later, the stream fails with that error within
   * seconds of its next read. The stream pauses while the database does not say if they exist, and
   * fails with `StorageUnavailable` after half a minute. A stream that is not read to its end must be destroyed.
   */
  open(key: BlobKey, expected: BlobFacts): Promise<Readable>;

  /** Deletes one blob for good; does nothing if there is none. */
  delete(key: BlobKey): Promise<void>;

  /**
   * Deletes every blob of one organisation for good, including half-sent ones. Nothing may be
   * uploaded to the organisation meanwhile. May be repeated after a failure.
   */
  deleteAll(organisationId: OrganisationId): Promise<void>;

  /**
   * All blobs, in no particular order. A blob that is put or deleted meanwhile may be missing or
   * listed. Other files in the same folder or bucket are ignored.
   */
  list(): AsyncIterable<ListedBlob>;

  /**
   * Removes staged files last written before `before`, left by uploads that ended without `put`.
   * With a bucket, only files on this machine's disk. Uploads in progress must be younger. Any
   * number of processes may sweep at once. Returns the number removed.
   */
  sweepStaged(before: Date): Promise<number>;

  /**
   * Removes half-sent blobs begun before `before`, left by uploads that ended without `put`. Uploads
   * in progress must be younger. Returns the number removed; in a folder there are none.
   */
  sweepHalfSent(before: Date): Promise<number>;

  /** The mark that was written last; null if there is none. Rejects if it cannot be read. */
  readLogMark(): Promise<LogMark | null>;

  /** Replaces the mark atomically. Resolves when it is on stable storage. */
  writeLogMark(mark: LogMark): Promise<void>;

  /**
   * Records permanently, apart from the database, that an organisation is erased: a restored backup
   * of the database brings its keys back. Resolves when the note is on stable storage. May be
   * repeated.
   */
  noteErasure(organisationId: OrganisationId): Promise<void>;

  /** All organisations noted as erased. Rejects if the notes cannot be read completely. */
  erasures(): Promise<ReadonlySet<OrganisationId>>;

  /** Closes connections. Open streams fail. */
  close(): Promise<void>;
}

/** Size and hash of a blob, as recorded in the event that names it. */
export interface BlobFacts {
  readonly sizeBytes: number;
  readonly sha256: Digest;
}

/** A completely received upload that is not stored yet: a file of this process (0600). */
export interface StagedBlob extends BlobFacts, EncryptedFile {
  /** Beginning of the file. */
  readonly header: Buffer;
  /** Removes the file. Harmless if repeated, or after `put`. */
  discard(): Promise<void>;
}

export interface ListedBlob {
  readonly key: BlobKey;
  /** By the storage's clock. */
  readonly storedAt: Date;
}

/**
 * Space for uploads on the local disks and in the storage, kept free of uploads below a mark. The
 * rejections are `StorageFull`.
 */
export interface UploadSpace {
  /** Rejects if an upload of at most this size would be refused now. */
  check(bytes: number, organisationId: OrganisationId): Promise<void>;
  /** Admits an upload of at most this size, or rejects. The caller must end the admission. */
  admit(bytes: number, organisationId: OrganisationId): Promise<Admission>;
  /** Call when a file was stored, since there is space then. */
  stored(): void;
  /** Reasons why uploads are refused now; empty if they are accepted. */
  stops(): Promise<readonly Stop[]>;
}

/** Why uploads are refused: the folder whose disk is nearly full, or a write that found no space. */
export type Stop = { readonly folder: string } | 'writeFailed';

/** An upload that is under way. `end` must be called. */
export interface Admission {
  /** Aborted, with a `StorageFull`, when a disk falls below half of its mark. */
  readonly signal: AbortSignal;
  /** Counts bytes that arrived. */
  received(bytes: number): void;
  /** The upload has arrived as a whole. */
  arrived(): void;
  /** Ends the upload, with the error if it failed. */
  end(error?: unknown): void;
}
