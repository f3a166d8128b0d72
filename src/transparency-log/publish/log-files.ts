/**
 * Small files under `log/` of a storage, by names such as `a/b/c`. What is written is on stable
 * storage when `write` resolves, as a whole or not at all. Methods reject with `StorageUnavailable`.
 */
export interface LogFiles {
  /** Null where there is none, in a storage that is there. */
  read(name: string): Promise<Buffer | null>;
  /** Replaces what is there. */
  write(name: string, bytes: Buffer): Promise<void>;
  /** Nothing happens if there is none. */
  remove(name: string): Promise<void>;
  /** The names of the files in a folder, without it; in no order. */
  list(folder: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Where they are in a storage, beside the folders of organisations. */
export const logFolder = 'log';
