import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { ulid } from 'ulid';
import { access } from '../../projections/access/project.ts';
import { projections } from '../../projections/registry.ts';
import { storage } from '../../projections/storage/project.ts';
import { workspaces } from '../../projections/workspaces/project.ts';
import { openLog } from '../../src/commands/open-log.ts';
import type { Config } from '../../src/config.ts';
import { readOrCreateMasterKey } from '../../src/embedded/master-key.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { MasterKeys } from '../../src/event-store/key-wrapping.ts';
import { createKeyring, hasWrappedKeys, type Keyring } from '../../src/event-store/keyring.ts';
import { createLeaves, type Leaves } from '../../src/event-store/leaves.ts';
import { migrateToLatest } from '../../src/event-store/migrate.ts';
import { requireOwnSessions } from '../../src/event-store/own-sessions.ts';
import { checkServerVersion } from '../../src/event-store/server-version.ts';
import type { EventMeta } from '../../src/event-store/stored-event.ts';
import { catchUp } from '../../src/subscriptions/catch-up.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { prepareProjection } from '../../src/subscriptions/projector.ts';
import { check, requireAgreement } from '../../src/transparency-log/guard/check.ts';
import type { LogStorage } from '../../src/transparency-log/published/contract.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import { lastPublished } from '../../src/transparency-log/published/published-checkpoints.ts';
import { operatorName } from './operator-name.ts';
import { reachDatabase } from './reach-database.ts';

/** The service's own parts and data, for the operator's commands. */
export interface OperatorSession {
  readonly store: EventStore;
  readonly db: ReadModels;
  readonly leaves: Leaves;
  /** Published checkpoints and tiles of the log. */
  readonly published: LogStorage;
  readonly pool: pg.Pool;
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Buffer;
  readonly now: () => Date;
  readonly meta: EventMeta;
  /** URL of the database, for work that needs a connection of its own. */
  readonly url: string;
  readonly masterKeys: MasterKeys;
  readonly keyring: Keyring;
  /** Aborted when the session is closed, such as by Ctrl-C. */
  readonly cancelled: AbortSignal;
  /** Brings the read models of access, storage and workspaces up to the head of the log. */
  settle(): Promise<void>;
  /** Closes the connections, and stops PostgreSQL if the session started it. */
  close(): Promise<void>;
}

interface SessionOptions {
  /**
   * Does not compare the log with the published log: only for commands that repair a difference.
   */
  readonly uncompared?: boolean;
  /** Creates a missing folder of the storage, also for a log that was published there. */
  readonly createsStorage?: boolean;
  /** Aborted: the opening rejects, and stops the PostgreSQL that it started. */
  readonly interrupted?: AbortSignal;
}

/** Several projections are rebuilt at the same time, with up to four connections each. */
const maxConnections = 16;

/** Time that a projection may make no progress before an error. */
const settleMs = 10_000;

/**
 * Opens a session, with or without a running service. Rejects with `LogUnconfirmed` if the log differs
 * from the published log. `uncompared` skips that comparison; such a session may append only events
 * that repair the difference.
 */
export async function openOperatorSession(
  config: Config,
  { uncompared = false, createsStorage = false, interrupted }: SessionOptions = {},
): Promise<OperatorSession> {
  const reached = await reachDatabase(config, interrupted);
  try {
    const untested = await checkServerVersion(reached.url);
    if (untested !== null) process.stderr.write(`warning: ${untested}\n`);
    await requireOwnSessions(reached.url);
    interrupted?.throwIfAborted();
    await migrateToLatest(reached.url);
    interrupted?.throwIfAborted();
    const { pool, db, highWater, close } = openDatabase(reached.url, { maxConnections });
    try {
      const mayCreate = !(await hasWrappedKeys(pool));
      const present =
        config.masterKey?.reveal() ?? (await readOrCreateMasterKey(config.dataDir, { mayCreate }));
      const masterKeys = { present, former: config.formerMasterKeys.map((key) => key.reveal()) };
      const keyring = createKeyring(pool, masterKeys);
      await keyring.check();
      const store = createEventStore({ pool, keyring, highWater });
      const operator = operatorName(config);
      const meta: EventMeta = { actor: 'operator', ...(operator !== null && { operator }) };
      const newId = () => ulid();
      const leaves = createLeaves(pool, highWater);
      const { storageUrl, storageCredentials } = config;
      const published = await openLogStorage(storageUrl, storageCredentials, {
        mayCreate: createsStorage || (await lastPublished(db)) === null,
      });
      if (!uncompared) {
        const traces = { store, leaves, history: db, published };
        requireAgreement(await check('publishing', traces));
        await openLog({ store, newId, originPrefix: config.logOrigin }, meta);
      }
      for (const projection of projections) await prepareProjection(db, projection);
      const cancelling = new AbortController();
      return {
        store,
        db,
        url: reached.url,
        masterKeys,
        keyring,
        cancelled: cancelling.signal,
        leaves,
        published,
        pool,
        newId,
        randomBytes,
        now: () => new Date(),
        meta,
        settle: async () =>
          catchUp({
            db,
            store,
            projections: [access, storage, workspaces],
            position: await store.head(),
            timeoutMs: settleMs,
          }),
        close: async () => {
          cancelling.abort();
          await published.close();
          await close();
          await reached.release();
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await reached.release();
    throw error;
  }
}
