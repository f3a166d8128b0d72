import type { Decision } from './decision.ts';
import type { RunReport } from './report.ts';

/**
 * Returns true if a report says that its run protected something: by a member of the counts called
 * `protected` or `uploaded`, on any level, or by a decision with the action `protect`. Such a member
 * says so if it has a positive number (also as text), `true`, or a list with a name.
 */
export function reportsProtection({
  counts,
  decisions,
}: Pick<RunReport, 'counts' | 'decisions'>): boolean {
  return countsProtection(counts) || decisions.some(isToProtect);
}

/** Avoids recursion over counts that are nested deeply. */
function countsProtection(counts: unknown): boolean {
  const open: { readonly value: unknown; readonly counts: boolean; readonly listed: boolean }[] = [
    { value: counts, counts: false, listed: false },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, counts, listed } = next;
    if (counts && (isPositive(value) || (listed && isNamed(value)))) return true;
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [name, member] of Object.entries(value)) {
      const isOne = counts || (!isList && isProtective(name));
      open.push({ value: member, counts: isOne, listed: isList });
    }
  }
  return false;
}

function isProtective(name: string): boolean {
  return ['protected', 'uploaded'].includes(name.toLowerCase());
}

function isPositive(value: unknown): boolean {
  return value === true || ((typeof value === 'number' || typeof value === 'string') && +value > 0);
}

/** True for an entry of a list that names a file, such as its path: no number, and not empty. */
function isNamed(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isNaN(+value);
}

function isToProtect(decision: Decision): boolean {
  const action = Object.hasOwn(decision, 'action') ? decision.action : null;
  return typeof action === 'string' && action.trim().toLowerCase() === 'protect';
}

/**
 * Returns true if the `noOp` of a report means the same as that of the run on record. One that was
 * omitted means its default, which is false once the run has protected something.
 */
export function meansSameNoOp(
  { noOp, counts }: Pick<RunReport, 'noOp' | 'counts'>,
  recorded: { readonly noOp: boolean | null; readonly mayHaveSentNoOp?: true },
  isProtective: boolean,
): boolean {
  if (recorded.mayHaveSentNoOp && noOp === noOpOfCounts(counts)) return true;
  return (noOp ?? !isProtective) === (recorded.noOp ?? !isProtective);
}

/**
 * Default of `noOp` in events of schema 1 and in hashes of reports: true unless `counts.protected`
 * is positive.
 */
export function noOpOfCounts(counts: unknown): boolean {
  if (typeof counts !== 'object' || counts === null) return true;
  return !Object.hasOwn(counts, 'protected') || (counts as { protected: unknown }).protected === 0;
}
