/** Sources available for comparison with the events. */
interface AuditScope {
  readonly events: number;
  /**
   * Size of the published checkpoint; null if none fits the events, `unasked` if none was
   * requested.
   */
  readonly published: number | null | 'unasked';
  readonly hasKeys: boolean;
  readonly hasLedger: boolean;
}

/**
 * Lists the comparisons that were not made, one per line. Without them, an audit does not notice a
 * file that was cut between two lines, or that holds another history.
 */
export function comparisonsNotMade({
  events,
  published,
  hasKeys,
  hasLedger,
}: AuditScope): readonly string[] {
  const notMade: string[] = [];
  if (published === 'unasked' || published === null) {
    const why = published === null ? 'no matching one was found' : 'no --log';
    notMade.push(
      `a published checkpoint (${why}): events may be missing at the end, or the whole history may be a different one`,
    );
  } else {
    if (published < events) {
      notMade.push(
        `a published checkpoint: events ${published + 1} to ${events}, which are newer than the last published checkpoint`,
      );
    }
    if (!hasKeys)
      notMade.push('known keys (no --key): signatures of checkpoints were not verified');
  }
  if (!hasLedger)
    notMade.push('a ledger (no --ledger): anchors were compared only with their stored evidence');
  return notMade;
}
