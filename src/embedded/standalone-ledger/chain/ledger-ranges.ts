export interface LedgerRange {
  readonly first: number;
  readonly last: number;
}

/** `2-4`, `2`, `2-9,20-43` or `empty`, the form of `complete_ledgers`. */
export function formatRanges(ranges: readonly LedgerRange[]): string {
  if (ranges.length === 0) return 'empty';
  return ranges
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(',');
}

export function appendLedger(ranges: readonly LedgerRange[], ledgerIndex: number): LedgerRange[] {
  const last = ranges.at(-1);
  if (last === undefined || last.last !== ledgerIndex - 1) {
    return [...ranges, { first: ledgerIndex, last: ledgerIndex }];
  }
  return [...ranges.slice(0, -1), { first: last.first, last: ledgerIndex }];
}

export function withoutRange(ranges: readonly LedgerRange[], gap: LedgerRange): LedgerRange[] {
  return ranges
    .flatMap(({ first, last }) => [
      { first, last: Math.min(last, gap.first - 1) },
      { first: Math.max(first, gap.last + 1), last },
    ])
    .filter(({ first, last }) => first <= last);
}

export function coversAll(ranges: readonly LedgerRange[], { first, last }: LedgerRange): boolean {
  return ranges.some((range) => range.first <= first && last <= range.last);
}
