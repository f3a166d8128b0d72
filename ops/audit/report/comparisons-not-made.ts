/** Sources available for comparison with the events. */
interface AuditScope {
  readonly source: 'database' | 'export';
  readonly events: number;
  /**
   * Size of the published checkpoint; null if none fits the events, `unasked` if none was
   * requested.
   */
  readonly published: number | null | 'unasked';
  /** Number of compared checkpoints from files of the auditor. */
  readonly keptCheckpoints: number;
  readonly hasKeys: boolean;
  /** True if the auditor gave the keys. */
  readonly hasOwnKeys: boolean;
  readonly hasLedger: boolean;
  readonly hasFiles: boolean;
  /** Number of restores that lost events. */
  readonly restores: number;
  /** Proofs whose transaction is encrypted, and was not read from the ledger either. */
  readonly hiddenMemos: number;
  /** Time-stamp tokens in the log. */
  readonly timestamps: number;
  /** True if the auditor gave certificates of time-stamping authorities. */
  readonly hasAuthorities: boolean;
}

/**
 * Lists the comparisons that were not made, one per line. Without them, an audit does not notice a
 * file that was cut between two lines, or that holds another history.
 */
export function comparisonsNotMade(scope: AuditScope): readonly string[] {
  const { source, events, published, hasKeys, hasOwnKeys, hasLedger, hasFiles } = scope;
  const notMade: string[] = [];
  if (published === 'unasked' || published === null) {
    const why = published === null ? 'no matching one was found' : 'no --log';
    notMade.push(
      `a published checkpoint (${why}): events may be missing at the end, or the whole history may be a different one`,
    );
  } else if (published < events) {
    notMade.push(
      `a published checkpoint: events ${published + 1} to ${events}, which are newer than the last published checkpoint`,
    );
  }
  if (typeof published === 'number' || scope.keptCheckpoints > 0) {
    if (!hasKeys)
      notMade.push('known keys (no --key): signatures of checkpoints were not verified');
    else if (!hasOwnKeys) {
      notMade.push(
        'keys of the auditor (no --key): signatures were verified with the keys of the configuration',
      );
    }
  }
  if (!hasLedger)
    notMade.push('a ledger (no --ledger): anchors were compared only with their stored evidence');
  if (scope.hiddenMemos > 0) {
    notMade.push(
      `the transactions of ${scope.hiddenMemos} proofs: they are encrypted, so their memos were not read. Give --ledger`,
    );
  }
  if (scope.timestamps > 0 && !scope.hasAuthorities) {
    notMade.push(
      `known time-stamping authorities (no --tsa-ca): the signatures of ${scope.timestamps} tokens were not verified`,
    );
  }
  if (source === 'export') {
    notMade.push(
      'hashes and nonces: an export holds them encrypted, so commitments were not recomputed',
      'read models, keys of organisations, listed checkpoints, cosignatures and stored files: an export has none of them',
    );
  } else if (!hasFiles) {
    notMade.push('stored files and certificates (no --files): their bytes were not read');
  }
  if (scope.restores > 0) {
    notMade.push('the tiles of ended epochs: they hold the events that the restores lost');
  }
  return notMade;
}

/** Limits of every audit. */
export const neverCompared: readonly string[] = [
  'exact times: the recorded time of an event may be wrong by up to a day',
  'decisions: whether limits and permissions allowed each event was not computed again',
  'publishers of validator lists: pin the keys of publishers when you verify a certificate',
  'last uses of keys, and counts of requests: no event records them',
  'deliveries of webhooks and their results: no event records them',
  'readers of the log that request signatures of validators, time-stamp tokens or deliveries of webhooks: a position or state moved within the log withholds later work, but changes no record',
  'removed cosignatures of witnesses: compare with the witnesses which checkpoints they have cosigned',
  'stored files that no event names: they were not read',
  'sessions of the console: the log does not record who began each',
  'marks in the storage: the service uses them to notice a restored database',
];
