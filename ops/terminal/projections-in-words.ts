import type { RowDifference, TableDifferences } from '../../src/subscriptions/compare-tables.ts';
import type { BuildStanding } from '../../src/subscriptions/projection-standing.ts';
import type { Rebuilt } from '../../src/subscriptions/rebuild-projection.ts';
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

/** Result of a rebuild, with its differences. */
export function rebuiltInWords(rebuilt: Rebuilt & { readonly name: string }): string {
  const { name, outcome, build, position, comparison } = rebuilt;
  const differing = comparison.tables.flatMap(differencesInWords);
  const equal = `all rows are equal to the previous build at position ${comparison.position}`;
  const compared = differing.length === 0 ? equal : differing.join('\n');
  return outcome === 'swapped'
    ? `${name}: build ${build} is live, at position ${position}; ${differing.length === 0 ? equal : `it differs from the previous build:\n${compared}`}`
    : `${name}: build ${build} was not swapped in, since it differs from the live build at position ${comparison.position}:\n` +
        `${compared}\n  use --resume --accept-differences to swap it in anyway`;
}

function differencesInWords({ table: name, columns, count, rows }: TableDifferences): string[] {
  const lines = [
    ...columns.first.map((column) => `  ${name}: only the live build has the column ${column}`),
    ...columns.second.map((column) => `  ${name}: only the new build has the column ${column}`),
    ...rows.map((row) => `  ${name} ${rowInWords(row)}`),
  ];
  if (count > rows.length) lines.push(`  ${name}: ${count - rows.length} more rows differ`);
  return lines;
}

const where = {
  'only in the first': 'is only in the live build',
  'only in the second': 'is only in the new build',
} as const;

function rowInWords({ key, found, columns, values }: RowDifference): string {
  const named = Object.entries(key).map(([column, value]) => `${column} ${printable(value)}`);
  const what = found === 'different' ? `differs in ${columns.join(', ')}` : where[found];
  const shown = values === undefined ? '' : `: ${printable(JSON.stringify(values))}`;
  return `${named.join(', ')} ${what}${shown}`;
}
