import { randomBytes } from 'node:crypto';
import tap, { type Test } from 'tap';
import { ulid } from 'ulid';
import { openLog } from '../../src/commands/open-log.ts';
import { AppendedRows } from '../../src/event-store/appended-rows.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { type Database, openDatabase } from '../../src/event-store/database.ts';
import type { DatabaseWentBack } from '../../src/event-store/database-went-back.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { createTurns } from '../../src/event-store/handling/turns.ts';
import { createKeyring, type Keyring } from '../../src/event-store/keyring.ts';
import { createTestDatabase, type TestDatabaseOptions } from './database.ts';
import { readingFrom } from './reading-from.ts';

export interface TestStore extends Database {
  readonly url: string;
  readonly masterKey: Buffer;
  readonly keyring: Keyring;
  readonly store: EventStore;
  /** Rows that `store` appended lately. */
  readonly appended: AppendedRows;
}

/** Creates an event store on a new database; both are removed when `t` is over. */
export async function createTestStore(
  t: Pick<Test, 'teardown'>,
  {
    kind = 'migrated',
    ...options
  }: {
    readonly now?: () => Date;
    readonly maxConnections?: number;
    readonly masterKey?: Buffer;
    readonly checkEveryMs?: number;
  } & Pick<TestDatabaseOptions, 'kind'> = {},
): Promise<TestStore> {
  const { url } = await createTestDatabase(t, { kind });
  return openTestStore(t, url, options);
}

let joined: Promise<TestStore> | undefined;

/**
 * The event store that test files of this process share, for tests that look at organisations of their own
 * only. Its log begins at this call.
 */
export async function joinTestStore(): Promise<TestStore> {
  joined ??= openJoined();
  const shared = await joined;
  return { ...shared, store: readingFrom(shared.store, await shared.store.head()) };
}

async function openJoined(): Promise<TestStore> {
  const opened = await createTestStore(tap);
  await openLog({ ...testDeps, store: opened.store }, { actor: 'start' });
  return opened;
}

/** Opens another event store on an existing database, as a second process would. */
export function openTestStore(
  t: Pick<Test, 'teardown'>,
  url: string,
  options: {
    readonly now?: () => Date;
    readonly maxConnections?: number;
    readonly retryMs?: number;
    readonly answerMs?: number;
    readonly masterKey?: Buffer;
    readonly onWentBack?: (error: DatabaseWentBack) => void;
    readonly checkEveryMs?: number;
    readonly answerWithinMs?: number;
  } = {},
): TestStore {
  const {
    now,
    retryMs,
    answerMs,
    maxConnections = 16,
    masterKey = testMasterKey,
    ...checks
  } = options;
  const database = openDatabase(url, { maxConnections, ...checks });
  t.teardown(() => database.close());
  const keyring = createKeyring(database.pool, masterKey);
  const { pool, highWater } = database;
  const appended = new AppendedRows();
  const store = createEventStore({
    pool,
    keyring,
    highWater,
    appended,
    ...(now === undefined ? {} : { now }),
    ...(retryMs === undefined ? {} : { retryMs }),
    ...(answerMs === undefined ? {} : { answerMs }),
  });
  return { ...database, url, masterKey, keyring, store, appended };
}

const testMasterKey = Buffer.alloc(32, 7);

/** Dependencies of commands besides the store. Keys and bytes reach no limit. */
export const testDeps = {
  newId: () => ulid(),
  randomBytes,
  now: () => new Date(),
  turns: createTurns(),
  countKeys: async () => 0,
  storedBytes: async () => 0,
  defaultStorageAllowance: null,
} as const;
