import type { Readable } from 'node:stream';
import type { BlobKey } from '../domain/blob/blob-key.ts';
import type { Digest } from '../domain/proof/digest.ts';
import type { OrganisationId } from '../domain/ulid.ts';
import type { LogMark } from './log-mark.ts';

/**
 * Keeps the bytes of uploads. An upload is staged on local disk first, so that its bytes can be
 * looked at, and then put under a key of its own.
 *
 * Every method rejects with `StorageUnavailable` within bounded time when the storage cannot be
 * used. A key that is none is a `TypeError`: a bug.
 */
export interface BlobStorage {
  /**
   * Receives an upload: reads the source to its end into a private local file while hashing it, in
   * constant memory. Nothing of it can be opened or listed yet. When the source fails, or is
   * destroyed, the file is removed and that error is thrown. Whoever gets the staged blob puts or
   * discards it.
   */
  stage(source: Readable): Promise<StagedBlob>;

  /**
   * Stores a staged blob under a new key, or once more under its own, in place of what is damaged
   * there; never other bytes. Resolves when it is on stable storage: it survives the
   * end of the process and a loss of power. At no moment is a part of it visible under the key.
   * The staged blob is spent, whatever the outcome. After a rejection it is not known whether the
   * blob is stored: no event may come to name the key, the sweep removes what may be there, and
   * another attempt needs the upload again, under another key.
   */
  put(key: BlobKey, staged: StagedBlob): Promise<void>;

  /**
   * The stored bytes. Size and hash are verified while reading: the stream ends only after all
   * bytes were what was expected, otherwise it breaks with `BlobCorrupt` before the last of them is
   * handed out. It breaks with `StorageUnavailable` when the storage goes away meanwhile. Rejects
   * with `BlobMissing` or, where the size alone tells, `BlobCorrupt`. A stream that is not read to
   * its end must be destroyed.
   */
  open(key: BlobKey, expected: BlobFacts): Promise<Readable>;

  /** Deletes one blob for good; nothing happens if there is none. */
  delete(key: BlobKey): Promise<void>;

  /**
   * Deletes every blob of one organisation for good, also what its uploads left half-sent. Nothing
   * of it may be uploaded meanwhile. May be repeated after a failure.
   */
  deleteAll(organisationId: OrganisationId): Promise<void>;

  /**
   * All blobs in no order. A blob that is put or deleted meanwhile may or may not be among them.
   * Whatever else lies in the same folder or bucket is passed over.
   */
  list(): AsyncIterable<ListedBlob>;

  /**
   * Removes what uploads that ended without `put` left before `before`: staged files and half-sent
   * blobs. Those being received must be younger. Returns how many.
   */
  sweepLeftovers(before: Date): Promise<number>;

  /** The mark that was written last; null if there is none. Rejects where it cannot be read. */
  readLogMark(): Promise<LogMark | null>;

  /** Replaces the mark, as a whole. Resolves when it is on stable storage. */
  writeLogMark(mark: LogMark): Promise<void>;

  /**
   * Notes that an organisation is erased, for ever and apart from the database: a restored backup of
   * that brings its keys back. Resolves when the note is on stable storage. May be repeated.
   */
  noteErasure(organisationId: OrganisationId): Promise<void>;

  /** All organisations of which that was noted. Rejects where it cannot be read whole. */
  erasures(): Promise<ReadonlySet<OrganisationId>>;

  /** Lets go of connections. Streams that are open break. */
  close(): Promise<void>;
}

/** What an event says of the bytes it names. */
export interface BlobFacts {
  readonly sizeBytes: number;
  readonly sha256: Digest;
}

/** An upload that was received whole and is stored nowhere yet. */
export interface StagedBlob extends BlobFacts {
  /** A regular file of this process (0600), to be read only. */
  readonly path: string;
  /** Removes it. Harmless when repeated, or after `put`. */
  discard(): Promise<void>;
}

export interface ListedBlob {
  readonly key: BlobKey;
  /** By the storage's clock. */
  readonly storedAt: Date;
}
