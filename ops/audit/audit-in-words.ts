import { printable } from '../terminal/printable.ts';
import { faultInWords } from './fault.ts';
import type { AuditReport } from './findings.ts';
import { type RestoreReport, restoreInWords } from './restores.ts';

/** Result of an audit besides its findings. */
export interface Audited {
  readonly events: number;
  /** Comparisons that were not made, a line each. */
  readonly unheld: readonly string[];
  /** Checkpoints of validated ledgers and of the auditor's files that were compared. */
  readonly outside: { readonly onLedger: number; readonly inFiles: number };
  readonly restores: readonly RestoreReport[];
}

/** Result of an audit, for people: findings, their number, and comparisons that were not made. */
export function auditInWords(
  { count, counts, faults, lost, lostCount, unchecked, uncheckedCount }: AuditReport,
  { events, unheld, outside, restores = [] }: Pick<Audited, 'events' | 'unheld'> & Partial<Audited>,
): string {
  const unlisted = Object.entries(counts).flatMap(([part, total]) => {
    const shown = faults.filter((fault) => fault.in === part);
    const left = total - shown.reduce((sum, { times = 1 }) => sum + times, 0);
    return left > 0 ? [`${part}: ${left} more faults are not listed`] : [];
  });
  const sum = count === 0 ? 'no fault' : counted(count, 'fault');
  const but =
    uncheckedCount === 0 ? '' : `, but ${counted(uncheckedCount, 'item')} could not be checked`;
  return [
    ...restores.map((restore) => `restored: ${restoreInWords(restore)}`),
    ...lost.map((what) => `lost: ${what}`),
    ...more(lostCount - lost.length, 'lost'),
    ...faults.map(faultInWords),
    ...unlisted,
    `${sum} in ${events} events${but}`,
    ...unchecked.map((finding) => `not checked: ${faultInWords(finding)}`),
    ...more(uncheckedCount - unchecked.length, 'not checked'),
    ...comparedWith(outside?.onLedger ?? 0, 'on the ledger'),
    ...comparedWith(outside?.inFiles ?? 0, 'given with --checkpoint'),
    ...unheld.map((what) => `not compared with ${what}`),
  ]
    .map(printable)
    .join('\n');
}

function comparedWith(count: number, where: string): readonly string[] {
  return count > 0 ? [`compared with ${counted(count, 'checkpoint')} ${where}`] : [];
}

function more(count: number, label: string): readonly string[] {
  return count > 0 ? [`${label}: ${count} more are not listed`] : [];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
