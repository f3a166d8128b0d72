import type { RowDifference, TableDifferences } from '../src/subscriptions/compare-tables.ts';
import type { BuildStanding } from '../src/subscriptions/projection-standing.ts';
import type { Rebuilt } from '../src/subscriptions/rebuild-projection.ts';
import { printable, table } from './printable.ts';

export function standingTable(builds: readonly BuildStanding[]): string {
  const rows = builds.map((build) => [
    build.name,
    String(build.version),
    String(build.build),
    build.state,
    String(build.position),
    String(build.lagEvents),
    build.lagSeconds.toFixed(1),
  ]);
  return table(['NAME', 'VERSION', 'BUILD', 'STATE', 'POSITION', 'EVENTS BEHIND', 'SECONDS'], rows);
}

/** What a rebuild has come to, with what differs. */
export function rebuiltInWords(rebuilt: Rebuilt & { readonly name: string }): string {
  const { name, outcome, build, position, comparison } = rebuilt;
  const differing = comparison.tables.flatMap(differencesInWords);
  const equal = `all rows equal to the live ones at position ${comparison.position}`;
  const compared = differing.length === 0 ? equal : differing.join('\n');
  return outcome === 'swapped'
    ? `${name}: build ${build} is live, at position ${position}; ${differing.length === 0 ? equal : `it differs:\n${compared}`}`
    : `${name}: build ${build} is not live, since it differs from the live one at position ${comparison.position}:\n` +
        `${compared}\n  with --resume --accept-differences it goes live all the same`;
}

function differencesInWords({ table: name, columns, count, rows }: TableDifferences): string[] {
  const lines = [
    ...columns.first.map((column) => `  ${name}: the live one alone has the column ${column}`),
    ...columns.second.map((column) => `  ${name}: the new one alone has the column ${column}`),
    ...rows.map((row) => `  ${name} ${rowInWords(row)}`),
  ];
  if (count > rows.length) lines.push(`  ${name}: ${count - rows.length} more rows differ`);
  return lines;
}

const where = {
  'only in the first': 'is in the live one alone',
  'only in the second': 'is in the new one alone',
} as const;

function rowInWords({ key, found, columns, values }: RowDifference): string {
  const named = Object.entries(key).map(([column, value]) => `${column} ${printable(value)}`);
  const what = found === 'different' ? `differs in ${columns.join(', ')}` : where[found];
  const told = values === undefined ? '' : `: ${printable(JSON.stringify(values))}`;
  return `${named.join(', ')} ${what}${told}`;
}
