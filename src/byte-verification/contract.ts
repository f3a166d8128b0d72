import type { OrganisationId } from '../domain/ulid.ts';

/** Tells whether the bytes of an upload are what its name claims. */
export interface ByteVerification {
  /**
   * Looks at the file's leading bytes, and where these only say "a container" at what is in it.
   * A name without an extension, or with one whose format has no signature, is verified unseen.
   * Rejects with `VerificationUnavailable` within bounded time when the check could not be made:
   * nothing is known of the file then. Organisations take turns, so that the files of one hold up
   * those of another for no longer than one file takes.
   *
   * @param path of a regular file that stays as it is meanwhile
   * @param fileName as the caller gave it; it reaches no file system
   */
  verify(path: string, fileName: string, organisationId: OrganisationId): Promise<Verdict>;

  /** Ends it; checks under way reject. */
  close(): Promise<void>;
}

export type Verdict =
  | { readonly status: 'verified' }
  | {
      readonly status: 'mismatch';
      /** The extension of the name, in lower case. */
      readonly expected: string;
      /** The extension of what the bytes are; null where they are nothing known. */
      readonly found: string | null;
    };
