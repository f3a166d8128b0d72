import { printable } from '../../terminal/printable.ts';
import type { FilesReport } from '../files/file-audit.ts';
import { type Fault, faultInWords } from '../findings/fault.ts';
import type { AuditReport } from '../findings/findings.ts';
import { type RestoreReport, restoreInWords } from '../history/restores.ts';
import type { OutsideCounts } from '../outside/read-outside.ts';

/** Result of an audit besides its findings. */
export interface Audited {
  readonly events: number;
  /** Hexadecimal, over the events as found; null if they could not be read. */
  readonly root: string | null;
  /** Name of the log in its present epoch; null if no event names it. */
  readonly origin: string | null;
  /** Size of the published checkpoint that was compared; null without one. */
  readonly publishedSize: number | null;
  /** Public keys with which signatures were verified. */
  readonly keys: readonly string[];
  /** Comparisons that were not made, a line each. */
  readonly unheld: readonly string[];
  readonly outside: OutsideCounts;
  readonly restores: readonly RestoreReport[];
  /** Null if no stored files were read. */
  readonly files: FilesReport | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
}

/** Consequences shown below each fault. */
const mostConsequences = 5;

/**
 * Result of an audit, for people: the log, its restores, findings, their number, and what was and
 * was not compared.
 */
export function auditInWords(
  report: AuditReport,
  audited: Pick<Audited, 'events' | 'unheld'> & Partial<Audited>,
): string {
  const { count, counts, faults, lost, lostCount, unchecked, uncheckedCount } = report;
  const { events, unheld, restores = [] } = audited;
  const unlisted = Object.entries(counts).flatMap(([part, total]) => {
    const shown = faults.filter((fault) => fault.in === part);
    const left = total - shown.reduce((sum, { times = 1 }) => sum + times, 0);
    return left > 0 ? [`${part}: ${left} more faults are not listed`] : [];
  });
  const sum = count === 0 ? 'no fault' : counted(count, 'fault');
  const but =
    uncheckedCount === 0 ? '' : `, but ${counted(uncheckedCount, 'item')} could not be checked`;
  return [
    ...logInWords(audited),
    ...restores.map((restore) => `restored: ${restoreInWords(restore)}`),
    ...lost.map((what) => `lost: ${what}`),
    ...more(lostCount - lost.length, 'lost'),
    ...faults.flatMap(inWords),
    ...unlisted,
    `${sum} in ${events} events${but}`,
    ...unchecked.map((finding) => `not checked: ${faultInWords(finding)}`),
    ...more(uncheckedCount - unchecked.length, 'not checked'),
    ...comparisonsInWords(report, audited),
    ...unheld.map((what) => `not compared with ${what}`),
    ...timeInWords(audited),
  ]
    .map(printable)
    .join('\n');
}

function logInWords({ root, origin, events, publishedSize, keys = [] }: Partial<Audited>) {
  return [
    ...(root ? [`log ${origin ?? 'without a name'}: ${events} events, root ${root}`] : []),
    ...(publishedSize ? [`published: a checkpoint of ${publishedSize} events`] : []),
    ...keys.map((vkey) => `key: ${vkey}`),
  ];
}

function comparisonsInWords(
  { compared }: AuditReport,
  { outside, files }: Partial<Audited>,
): readonly string[] {
  const { listedCheckpoints, proofs, proofsOnLedger, anchoredCheckpoints } = compared;
  const { attestedLedgers, commitments, readModels, cosignatures, timestamps } = compared;
  const onLedger = proofsOnLedger > 0 ? `, ${proofsOnLedger} of them on the ledger` : '';
  return [
    ...comparedWith(listedCheckpoints, 'published checkpoint'),
    ...comparedWith(cosignatures, 'cosignature', ' of witnesses'),
    ...comparedWith(outside?.onLedger ?? 0, 'checkpoint', ' on the ledger'),
    ...comparedWith(outside?.inFiles ?? 0, 'checkpoint', ' given with --checkpoint'),
    ...comparedWith(proofs, 'anchored proof', onLedger),
    ...comparedWith(anchoredCheckpoints, 'anchored checkpoint', ' of the log'),
    ...comparedWith(timestamps, 'time-stamp token'),
    ...comparedWith(attestedLedgers, 'attested ledger'),
    ...comparedWith(commitments, 'commitment'),
    ...comparedWith(readModels, 'read model'),
    ...(files
      ? [
          `compared with ${counted(files.read, 'stored file')} (${files.bytes} bytes, ${counted(files.certificates, 'certificate')})`,
        ]
      : []),
  ];
}

function timeInWords({ startedAt, seconds }: Partial<Audited>): readonly string[] {
  return startedAt ? [`audited from ${startedAt}, for ${seconds} s`] : [];
}

/** A fault, and the first of its consequences indented below it. */
function inWords({ consequences, ...fault }: Fault): readonly string[] {
  const { count = 0, first = [] } = consequences ?? {};
  const shown = first.slice(0, mostConsequences);
  const left = count - shown.length;
  return [
    faultInWords(fault),
    ...shown.map((one) => `  consequence: ${one}`),
    ...(left > 0 ? [`  ${counted(left, 'more consequence')}`] : []),
  ];
}

function comparedWith(count: number, noun: string, where = ''): readonly string[] {
  return count > 0 ? [`compared with ${counted(count, noun)}${where}`] : [];
}

function more(count: number, label: string): readonly string[] {
  return count > 0 ? [`${label}: ${count} more are not listed`] : [];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
