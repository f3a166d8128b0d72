/** The keys that sign the log's checkpoints. */
export interface LogKeys {
  /** Keys of all epochs of the log, newest first. */
  readonly logKeys: () => Promise<readonly string[]>;
}
