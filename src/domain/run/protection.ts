import type { Decision } from './decision.ts';
import type { RunReport } from './report.ts';

/**
 * Returns true if a report says that its run protected something: by a positive count called
 * `protected` or `uploaded`, on any level of the counts, or by a decision with the action
 * `protect`.
 */
export function reportsProtection({
  counts,
  decisions,
}: Pick<RunReport, 'counts' | 'decisions'>): boolean {
  return countsProtection(counts) || decisions.some(isToProtect);
}

/** Avoids recursion over counts that are nested deeply. */
function countsProtection(counts: unknown): boolean {
  const open: { readonly value: unknown; readonly counts: boolean }[] = [
    { value: counts, counts: false },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, counts } = next;
    if (counts && typeof value === 'number' && value > 0) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      open.push({ value: member, counts: counts || name === 'protected' || name === 'uploaded' });
    }
  }
  return false;
}

function isToProtect(decision: Decision): boolean {
  const action = Object.hasOwn(decision, 'action') ? decision.action : null;
  return typeof action === 'string' && action.trim().toLowerCase() === 'protect';
}

/**
 * Default of `noOp` in events of schema 1 and in hashes of reports: true unless `counts.protected`
 * is positive.
 */
export function noOpOfCounts(counts: unknown): boolean {
  if (typeof counts !== 'object' || counts === null) return true;
  return !Object.hasOwn(counts, 'protected') || (counts as { protected: unknown }).protected === 0;
}
