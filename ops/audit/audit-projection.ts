import type { Transaction } from 'kysely';
import type { StoreTables } from '../../src/event-store/database.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { compareTables } from '../../src/subscriptions/compare-tables.ts';
import { type Projection, tableName } from '../../src/subscriptions/projection.ts';
import { findLiveBuild } from '../../src/subscriptions/projection-builds.ts';
import type { Tell } from './fault.ts';

const pageSize = 1_000;
const mostRows = 20;
/** No build of the service comes so far. */
const scratchBuild = 2_000_000_000;

/**
 * Folds the log into tables of its own, up to the position of the live build, and compares the two
 * row by row. All of it happens in the given transaction, which must see one moment (repeatable read)
 * and be rolled back: nothing is left, also after a kill, and nobody waits.
 */
export async function auditProjection(
  trx: Transaction<StoreTables>,
  options: {
    readonly store: Pick<EventStore, 'readPage'>;
    readonly projection: Projection;
    readonly tell: Tell;
    readonly onPosition?: (position: number, live: number) => void;
  },
): Promise<void> {
  const { store, projection, tell, onPosition } = options;
  const { name, tables, version } = projection;
  const fault = (column: string | null, what: string) =>
    tell({ in: 'projections', position: null, column, what });
  const live = await findLiveBuild(trx, name);
  if (live?.version !== version) {
    fault(null, `${name}: live is version ${live?.version}, this program has ${version}`);
    return;
  }
  const scratch = tableName(scratchBuild);
  await projection.create(trx, scratch);
  for (let position = 0; position < live.position; ) {
    const page = await store.readPage(position, pageSize, projection.types, live.position);
    if (page.position === position) break;
    if (page.events.length > 0) await projection.project(trx, page.events, scratch);
    position = page.position;
    onPosition?.(position, live.position);
  }
  for (const table of tables) {
    const compared = { table, first: tableName(live.build)(table), second: scratch(table) };
    const { count, rows, columns } = await compareTables(trx, compared, { mostRows });
    for (const { key, found, columns: differing } of rows) {
      const at = Object.entries(key).map(([column, value]) => `${column} ${value}`);
      const what = {
        different: 'it is not what the log comes to',
        'only in the first': 'the log does not come to this row',
        'only in the second': 'it is missing',
      }[found];
      fault(differing.join() || null, `${table}, ${at.join(', ')}: ${what}`);
    }
    if (count > rows.length) fault(null, `${table}: ${count - rows.length} more rows differ`);
    const odd = [...columns.first, ...columns.second];
    if (odd.length > 0) fault(odd.join(), `${table}: it has other columns`);
  }
}
