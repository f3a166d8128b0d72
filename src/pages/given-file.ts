import type { Bundle } from '../verifier/bundle/bundle.ts';
import type { WhyNoBundle } from '../verifier/bundle/no-bundle.ts';
import type { Certificate } from './certificate.js';

/** A given file. */
export interface Item {
  id: number;
  file: File;
  /** Folders that it was found in, if a whole folder was given. */
  folder?: string;
  /**
   * `unread` means unreadable; `stalled`, that the part of this page that reads files is missing.
   */
  status: 'waiting' | 'reading' | 'read' | 'unread' | 'stalled';
  doneBytes: number;
  read: ReadFile | null;
  reading: AbortController;
}

/** Result of reading a file. */
export interface ReadFile {
  fileHash: string;
  /** Null if the file is not a certificate. */
  certificate: Certificate | null;
  /** True if the certificate's parts agree. */
  isConsistent: boolean;
  /** The bundle of a certificate. */
  bundle?: Bundle | null;
  /** Format of the file, if it may be a certificate. */
  form: 'pdf' | 'json' | null;
  /** Reason why the file is no certificate. */
  why: WhyNoBundle | null;
}
