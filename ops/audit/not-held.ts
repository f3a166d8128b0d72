/** What an audit had to hold the events against. */
export interface AuditScope {
  readonly events: number;
  /** The size of the published checkpoint; null where there is none that it fits, `unasked` where none was asked for. */
  readonly published: number | null | 'unasked';
  readonly hasKeys: boolean;
  readonly hasLedger: boolean;
}

/**
 * What was held against nothing, each in a line: of that an audit without a fault says nothing. A file
 * that was cut short between two lines, or holds another history, agrees with itself.
 */
export function notHeld({ events, published, hasKeys, hasLedger }: AuditScope): readonly string[] {
  const said: string[] = [];
  if (published === 'unasked' || published === null) {
    const why = published === null ? 'there is none that it fits' : 'no --log';
    said.push(
      `what was published (${why}): whether events are missing at the end, or all of it is another ` +
        'history, is not known',
    );
  } else {
    if (published < events) {
      said.push(
        `a checkpoint, events ${published + 1} to ${events}: the published one ends before`,
      );
    }
    if (!hasKeys) said.push('a known key, the signatures of checkpoints (no --key)');
  }
  if (!hasLedger)
    said.push('a ledger, what is anchored (no --ledger): only against its own evidence');
  return said;
}
