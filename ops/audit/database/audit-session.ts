import type pg from 'pg';
import type { Config } from '../../../src/config.ts';
import { readOrCreateMasterKey } from '../../../src/embedded/master-key.ts';
import { openDatabase } from '../../../src/event-store/database.ts';
import type { MasterKeys } from '../../../src/event-store/key-wrapping.ts';
import type { ReadModels } from '../../../src/subscriptions/projection.ts';
import { reachDatabase } from '../../session/reach-database.ts';
import { errorMessage } from '../../terminal/error-message.ts';
import { isDefect } from '../../terminal/is-defect.ts';
import { DatabaseUnavailable } from '../findings/database-unavailable.ts';

/**
 * Read access to the audited database. Unlike an `OperatorSession`, it neither migrates nor creates
 * read models. It opens a damaged database too, since the audit reports the damage.
 */
export interface AuditSession {
  /** For threads with connections of their own. */
  readonly url: string;
  readonly pool: pg.Pool;
  readonly db: ReadModels;
  /**
   * Null if none is configured for the database of DATABASE_URL: an auditor need not have it.
   * Rejects with `KeyFileError` if that of the embedded database is lost.
   */
  readMasterKeys(): Promise<MasterKeys | null>;
  /** Closes the connections, and stops PostgreSQL if the session started it. */
  close(): Promise<void>;
}

/**
 * Rejects with `DatabaseUnavailable` if the database cannot be reached, or once `interrupted` is aborted
 * while PostgreSQL starts.
 */
export async function openAuditSession(
  config: Config,
  interrupted?: AbortSignal,
): Promise<AuditSession> {
  const reached = await reachDatabase(config, interrupted).catch(unavailable);
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
    url: reached.url,
    pool,
    db,
    close,
    async readMasterKeys() {
      const given = config.masterKey?.reveal();
      if (given === undefined && config.databaseUrl !== null) return null;
      const present = given ?? (await readOrCreateMasterKey(config.dataDir, { mayCreate: false }));
      return { present, former: config.formerMasterKeys.map((key) => key.reveal()) };
    },
  };
}

function unavailable(error: unknown): never {
  if (isDefect(error)) throw error;
  throw new DatabaseUnavailable(errorMessage(error));
}
