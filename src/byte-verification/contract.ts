import type { OrganisationId } from '../domain/ulid.ts';
import type { EncryptedFile } from '../encrypted-files/segment-reader.ts';

/** Verifies that the bytes of an upload match its file name. */
export interface ByteVerification {
  /**
   * Reads the file's leading bytes and, if they are a container, its content. A name without an
   * extension, or with an extension whose format has no signature, is verified without reading.
   * Rejects with `VerificationUnavailable` within bounded time if the check failed: the verdict is
   * unknown then. Organisations take turns: the files of one delay those of another by at most the
   * time of one file.
   *
   * @param file a regular file that does not change meanwhile
   * @param fileName as the caller gave it; not used as a path
   */
  verify(
    file: EncryptedFile,
    fileName: string,
    organisationId: OrganisationId,
  ): Promise<BytesVerdict>;

  /** Stops verification; checks in progress reject. */
  close(): Promise<void>;
}

export type BytesVerdict =
  | { readonly status: 'verified' }
  | {
      readonly status: 'mismatch';
      /** The extension of the name, in lower case. */
      readonly expected: string;
      /** The extension of the detected format; null for an unknown format. */
      readonly found: string | null;
    };
