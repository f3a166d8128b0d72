import { grouped } from '../grouped.ts';
import { chartDays } from './proofs-chart.ts';
import type { Usage, Used } from './read-usage.ts';

/** A number as the page shows it, by its name in `data-live`. */
export interface LiveNumber {
  readonly text: string;
  /** Value of the meter; absent for a number without one. */
  readonly value?: number;
}

/** The numbers of the usage page. Messages to open pages have the same texts as the page. */
export function usageNumbers(usage: Usage): Readonly<Record<string, LiveNumber>> {
  return {
    minute: numberOf(usage.minute),
    day: numberOf(usage.day),
    uploads: numberOf(usage.uploads),
    proofs: { text: proofsSummary(usage) },
  };
}

function numberOf({ used, limit }: Used): LiveNumber {
  if (used === null) return { text: 'Not known now.' };
  if (limit === null) return { text: `${grouped(used)}, without a limit` };
  return { text: `${grouped(used)} of ${grouped(limit)}`, value: Math.min(used, limit) };
}

function proofsSummary({ proofs }: Usage): string {
  const counts = [...proofs.values()];
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return `No proof was anchored in the last ${chartDays} days.`;
  const proofsInWords = total === 1 ? '1 proof' : `${grouped(total)} proofs`;
  const most = grouped(Math.max(...counts));
  return `${proofsInWords} in ${chartDays} days, at most ${most} in one day.`;
}
