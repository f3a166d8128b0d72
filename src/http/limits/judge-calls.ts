import { type Amounts, type Batch, type Charged, noAmounts, sumOf } from './batch-calls.ts';
import type { Counted, CountedSubject } from './count-calls.ts';
import { windowsOf } from './quota.ts';
import type { CallVerdict, WindowState } from './request-limiter.ts';

/** The verdict on each call of a batch, as if the calls had come one by one. */
export function judgeCalls({ subjects, calls }: Batch, counted: Counted): readonly CallVerdict[] {
  const found = subjects.map(({ quota }) => {
    const subject = counted.subjects.get(quota.subject);
    if (subject === undefined) throw new Error('a subject was not counted');
    return subject;
  });
  const isCounted = (call: number) => !counted.refused.has(call);
  const allowed = subjects.map(() => noAmounts);
  for (const [n, { charges }] of calls.entries()) {
    if (!isCounted(n)) continue;
    for (const { to, amounts } of charges) add(allowed, to, amounts);
  }
  // Start from the counts before the batch, and then replay the calls.
  const used = found.map(({ used: { minute, day } }, n) => {
    const { minute: ofMinute, day: ofDay } = allowed[n] ?? noAmounts;
    return { minute: minute - ofMinute, day: day - ofDay };
  });
  return calls.map(({ waiting: { isLook }, charges }, n) => {
    if (isCounted(n)) for (const { to, amounts } of charges) add(used, to, amounts);
    const windows = charges.flatMap(({ to, amounts }) => {
      const needed = isLook ? one : isCounted(n) ? noAmounts : amounts;
      const at = found[to.number] as CountedSubject;
      return statesOf(to, used[to.number] ?? noAmounts, at.leftMs, needed);
    });
    return { allowed: windows.every(({ refuses }) => !refuses), windows };
  });
}

const one: Amounts = { minute: 1, day: 1 };

function add(sums: Amounts[], { number }: Charged, amounts: Amounts): void {
  sums[number] = sumOf(sums[number] ?? noAmounts, amounts);
}

/** `needed` is the minimum that must remain in each window. */
function statesOf(
  { quota }: Charged,
  used: Amounts,
  leftMs: Amounts,
  needed: Amounts,
): WindowState[] {
  return windowsOf(quota).map(({ name, unit, limit }) => {
    const remaining = Math.max(0, limit - used[unit]);
    return { name, limit, remaining, leftMs: leftMs[unit], refuses: remaining < needed[unit] };
  });
}
