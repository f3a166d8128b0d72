/**
 * Small files under `log/` of a storage, with names such as `a/b/c`. A file is on stable storage
 * when `write` resolves, as a whole or not at all. Methods reject with `StorageUnavailable`.
 */
export interface LogFiles {
  /** Null if the file does not exist in a reachable storage. */
  read(name: string): Promise<Buffer | null>;
  /** Creates or replaces a file. */
  write(name: string, bytes: Buffer): Promise<void>;
  /**
   * As `write`, for a small file without which nothing may be submitted. A storage on disk sets
   * space aside for it after a first success, so that it can be written while the disk is full.
   * Absent: `write`.
   */
  writeEssential?(name: string, bytes: Buffer): Promise<void>;
  /** Removes a file, if it exists. */
  remove(name: string): Promise<void>;
  /** As `remove`, for a file of `writeEssential`. Its space may be set aside. Absent: `remove`. */
  removeEssential?(name: string): Promise<void>;
  /** Names of the files in a folder, without the folder; in no order. */
  list(folder: string): Promise<readonly string[]>;
  close(): Promise<void>;
}
