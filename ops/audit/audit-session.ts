import type pg from 'pg';
import type { Config } from '../../src/config.ts';
import { readOrCreateMasterKey } from '../../src/embedded/master-key.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import type { MasterKeys } from '../../src/event-store/key-wrapping.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { errorMessage } from '../error-message.ts';
import { reachDatabase } from '../reach-database.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';

/**
 * The database as it is, for looking at. Unlike an `OperatorSession` it neither migrates nor makes read
 * models, and it opens whatever is damaged: to say so is the audit's work.
 */
export interface AuditSession {
  readonly pool: pg.Pool;
  readonly db: ReadModels;
  /** Rejects with `KeyFileError` where they were lost. */
  readMasterKeys(): Promise<MasterKeys>;
  /** Closes what the session opened; a PostgreSQL that it started is stopped. */
  close(): Promise<void>;
}

/** Rejects with `DatabaseUnavailable` where the database cannot be reached. */
export async function openAuditSession(config: Config): Promise<AuditSession> {
  const reached = await reachDatabase(config).catch(unavailable);
  const { pool, db, close: disconnect } = openDatabase(reached.url, { maxConnections: 4 });
  const close = async () => {
    await disconnect();
    await reached.release();
  };
  try {
    await pool.query('SELECT');
  } catch (error) {
    await close();
    return unavailable(error);
  }
  return {
    pool,
    db,
    close,
    async readMasterKeys() {
      const given = config.masterKey?.reveal();
      const present = given ?? (await readOrCreateMasterKey(config.dataDir, { mayCreate: false }));
      return { present, former: config.formerMasterKeys.map((key) => key.reveal()) };
    },
  };
}

function unavailable(error: unknown): never {
  throw new DatabaseUnavailable(errorMessage(error));
}
