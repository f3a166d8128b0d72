/** Sources that an audit could compare the events with. */
export interface AuditScope {
  readonly events: number;
  /** The size of the published checkpoint; null where there is none that it fits, `unasked` where none was asked for. */
  readonly published: number | null | 'unasked';
  readonly hasKeys: boolean;
  readonly hasLedger: boolean;
}

/**
 * Comparisons that were not made, one per line. Without them, an audit does not notice a file that was cut short
 * between two lines, or that holds another history.
 */
export function notHeld({ events, published, hasKeys, hasLedger }: AuditScope): readonly string[] {
  const said: string[] = [];
  if (published === 'unasked' || published === null) {
    const why = published === null ? 'none that fits was found' : 'no --log';
    said.push(
      `a published checkpoint (${why}): events may be missing at the end, or all of this may be another history`,
    );
  } else {
    if (published < events) {
      said.push(
        `a published checkpoint: events ${published + 1} to ${events}, which are newer than it`,
      );
    }
    if (!hasKeys) said.push('known keys (no --key): the signatures of checkpoints');
  }
  if (!hasLedger)
    said.push('a ledger (no --ledger): anchors, which were compared with their own evidence only');
  return said;
}
