import type pg from 'pg';
import type { LeafInput } from '../domain/log/leaf-input.ts';
import { HighWaterMark } from './high-water-mark.ts';
import { leafInputOf } from './leaf.ts';
import { createLogQuery } from './log-query.ts';
import type { EventRow } from './stored-event.ts';

/** The leaves of the log, for its Merkle tree, without the content of the events. */
export interface Leaves {
  /**
   * The leaves (32 bytes each) of the events after a position, in order: at most `limit`, and fewer
   * only at the end of the log. Rejects with `StoreUnavailable`.
   */
  read(after: number, limit: number): Promise<readonly Buffer[]>;
  /** The leaf input of an event, with its leaf; null if the log does not reach that position. */
  readInput(position: number): Promise<(LeafInput & { readonly leaf: Buffer }) | null>;
}

/** Reading raises `highWater`, the high-water mark of the pool's database. */
export function createLeaves(pool: pg.Pool, highWater = new HighWaterMark()): Leaves {
  const query = createLogQuery(pool, highWater);
  return {
    async read(after, limit) {
      const rows = await query<{ leaf: Buffer }>({
        name: 'read-leaves',
        text: 'SELECT leaf FROM events WHERE position > $1 AND position <= $2 ORDER BY position',
        values: [after, after + limit],
      });
      const last = rows.at(-1);
      if (last) highWater.see([{ position: after + rows.length, leaf: last.leaf }]);
      return rows.map(({ leaf }) => leaf);
    },

    async readInput(position) {
      const [row] = await query<EventRow>({
        name: 'read-leaf-input',
        text: 'SELECT * FROM events WHERE position = $1',
        values: [position],
      });
      if (row) highWater.see([row]);
      return row === undefined ? null : { ...leafInputOf(row), leaf: row.leaf };
    },
  };
}
