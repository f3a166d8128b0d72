/**
 * A file: its path or `file:` URL (in Node), a Blob or File, its bytes, or a stream of them. A stream
 * can be read only once.
 */
export type FileSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** An open source: its bytes in order, and facts that are known before they are read. */
export interface OpenSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Number of bytes; null for a stream. */
  readonly size: number | null;
  /** Name without folders; null if the source has none. */
  readonly name: string | null;
  /** Media type; null if unknown. */
  readonly mimeType: string | null;
  /** Rejects with FILE_CHANGED if the file was altered since it was opened. */
  readonly checkUnchanged: () => Promise<void>;
}
