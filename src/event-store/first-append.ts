import type pg from 'pg';
import { type EncodedAppend, writeBatch } from './batch.ts';

/**
 * Appends to the empty log and returns the position of the first event. Returns null, and does
 * nothing, if the log is not empty. Locks the head's row before reading it, until the commit. Every
 * append needs that lock, so no event can come first or between. The lock is held across round
 * trips, but only once in the life of a log.
 */
export async function writeFirst(pool: pg.Pool, append: EncodedAppend): Promise<number | null> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ position: number }>(
      'SELECT position FROM log_head FOR UPDATE',
    );
    if (rows[0]?.position !== 0) {
      await client.query('ROLLBACK');
      return null;
    }
    const [outcome] = await writeBatch(client, [append]);
    if (outcome === undefined || 'conflict' in outcome) {
      throw outcome?.conflict ?? new Error('the first append gave no outcome');
    }
    await client.query('COMMIT');
    return outcome.firstPosition;
  } catch (error) {
    // Discard a connection in an unknown state. The server then rolls back.
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(broken);
  }
}
