import { Frontier } from '../../../src/transparency-log/tree/frontier.ts';
import type { KnownKeys } from '../checkpoints/known-keys.ts';
import type { NamedCheckpoint } from '../checkpoints/named-checkpoint.ts';
import type { AuditedPart, Fault } from '../findings/fault.ts';
import type { Findings } from '../findings/findings.ts';
import type { LogHistory } from '../history/log-history.ts';
import type { PastTree } from '../history/past-tree.ts';

/** A checkpoint that neither the database nor its storage keeps. */
export interface OutsideCheckpoint extends NamedCheckpoint {
  /** `ledger`: anchored there; `checkpoints`: from a file of the auditor. */
  readonly in: Extract<AuditedPart, 'ledger' | 'checkpoints'>;
}

/**
 * Collects the checkpoints of a log from outside.
 * @param known keys of the log; null: signatures of files are not verified
 */
export type ReadOutside = (
  history: Pick<LogHistory, 'logId' | 'accounts'>,
  known: Pick<KnownKeys, 'hasSigned'> | null,
) => Promise<readonly OutsideCheckpoint[]>;

/** The tree over all audited events. */
interface WholeTree extends PastTree {
  /** Position of the last event. */
  readonly position: number;
  /** Number of known leaves; more than `position` if an export ends before the published events. */
  readonly size: number;
}

/** The history with the sizes of the checkpoints, so that the audit keeps the roots there. */
export function announcing(
  history: LogHistory,
  checkpoints: readonly Pick<NamedCheckpoint, 'size'>[],
): LogHistory {
  return { ...history, sizes: new Set([...history.sizes, ...checkpoints.map(({ size }) => size)]) };
}

/** Checkpoints beyond the end of the audited events. */
interface Beyond {
  /** Size of the largest one of an epoch of the events; 0 if there is none. */
  readonly size: number;
  /** Names of epochs that begin after the events. */
  readonly origins: ReadonlySet<string>;
}

/**
 * Compares checkpoints from outside with the log, after its last event was audited. The history
 * of the audit must have announced their sizes. Returns those that could not be compared.
 * @param isWhole false if some events could not be read; larger checkpoints are not judged then
 * @param mayEndEarly true if the log may be older than a checkpoint, which is no fault then
 */
export function compareOutside(
  outside: readonly OutsideCheckpoint[],
  {
    log,
    isWhole,
    findings,
    mayEndEarly = false,
  }: { log: WholeTree; isWhole: boolean; findings: Findings; mayEndEarly?: boolean },
): Beyond {
  let short: Fault | null = null;
  let largest = 0;
  const origins = new Set<string>();
  // The largest one first: if the log lacks it, it may lack smaller ones too.
  for (const checkpoint of outside.toSorted((one, other) => other.size - one.size)) {
    const { name, origin, size, root } = checkpoint;
    const fault = (what: string) =>
      findings.reportFault({ in: checkpoint.in, position: null, column: null, what });
    const standing = log.epochs?.judge(checkpoint) ?? {
      status: 'wrong',
      what: `the checkpoint belongs to ${origin}, but the first event does not name a log`,
    };
    if (standing.status === 'later' && mayEndEarly) origins.add(origin);
    else if (standing.status === 'lost') findings.reportLost(`${name}: ${standing.what}`);
    else if (standing.status !== 'compared') fault(`${name}: ${standing.what}`);
    else if (size > log.size) {
      largest = Math.max(largest, size);
      if (mayEndEarly) continue;
      const what = `${name} covers ${size} events, but the log has only ${log.position}`;
      const one = { in: checkpoint.in, position: null, column: null, what } as const;
      if (isWhole && short !== null) findings.addConsequence(short, one);
      else if (isWhole) short = findings.reportFault(one);
    } else if (!hasRoot(log, size, root)) {
      const what = `${name}: the root of the first ${size} events differs from the root in the checkpoint`;
      findings.reportWrongRoot({ in: checkpoint.in, position: null, column: null, what });
    }
  }
  return { size: largest, origins };
}

function hasRoot(log: PastTree, size: number, root: Buffer): boolean {
  return size === 0 ? new Frontier().root().equals(root) : log.hasRoot(size, root) !== false;
}
