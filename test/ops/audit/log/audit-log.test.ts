import type pg from 'pg';
import { type Test, test } from 'tap';
import { type Fault, faultInWords } from '../../../../ops/audit/findings/fault.ts';
import { Findings } from '../../../../ops/audit/findings/findings.ts';
import { auditLog } from '../../../../ops/audit/log/audit-log.ts';
import type { ReadOutside } from '../../../../ops/audit/outside/outside-checkpoint.ts';
import { KeyAudit } from '../../../../ops/audit/tables/key-audit.ts';
import { streams } from '../../../../src/domain/streams.ts';
import type { WorkspaceId } from '../../../../src/domain/ulid.ts';
import { createLeaves } from '../../../../src/event-store/leaves.ts';
import {
  readCheckpoint,
  signCheckpoint,
} from '../../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../../src/transparency-log/checkpoint/note-key.ts';
import { Publisher } from '../../../../src/transparency-log/publish/publisher.ts';
import { PublishedLog } from '../../../../src/transparency-log/published/published-log.ts';
import { rootOf } from '../../../../src/transparency-log/tree/frontier.ts';
import { readLogKey } from '../../../../src/verifier/log/note-key.ts';
import { withoutConstraints } from '../../../support/audited-site.ts';
import { createTestStore } from '../../../support/event-store.ts';
import { rewriteRow } from '../../../support/forge-log.ts';
import { mutateFiles, mutateRows } from '../../../support/log-mutations.ts';
import { runCount } from '../../../support/run-count.ts';
import { seededRandom } from '../../../support/seed.ts';
import { createUploadSite, uploadMeta } from '../../../support/uploads.ts';

const key = Buffer.alloc(32, 9);
const size = 290;
const beyond = 12;
const mutationCount = runCount(20, 50);

/** Files in memory, as a storage keeps them. */
function memoryFiles() {
  const files = new Map<string, Buffer>();
  return {
    files,
    read: async (name: string) => files.get(name) ?? null,
    write: async (name: string, bytes: Buffer) => void files.set(name, Buffer.from(bytes)),
    remove: async (name: string) => void files.delete(name),
    list: async (folder: string) =>
      [...files.keys()].flatMap((name) =>
        name.startsWith(`${folder}/`) ? [name.slice(folder.length + 1)] : [],
      ),
    close: async () => {},
  };
}

/** A log with a full tile and partial ones, three checkpoints, and events after the last of them. */
async function createPublishedLog(t: Test) {
  const { store, pool, db, masterKey } = await createTestStore(t);
  const { organisationId } = await createUploadSite(store);
  const grow = async (to: number) => {
    const entries = Array.from({ length: to - (await store.head()) }, () => {
      const workspaceId = `01${crypto.randomUUID().replace(/-/g, '').slice(0, 24).toUpperCase()}`;
      const data = { workspaceId: workspaceId as WorkspaceId, organisationId, name: workspaceId };
      const events = [{ type: 'WorkspaceCreated', data }] as const;
      const stream = streams.workspace(data.workspaceId);
      return { organisationId, stream, expectedVersion: 0, events };
    });
    await store.append(entries, uploadMeta);
  };
  const files = memoryFiles();
  const published = new PublishedLog(files);
  const leaves = createLeaves(pool);
  const publisher = new Publisher({ store, leaves, history: db, published, seeds: [key] });
  for (const to of [40, 256, size]) {
    await grow(to);
    await publisher.publish();
  }
  const plan = { type: 'PlanChanged', data: { plan: 'free' } } as const;
  const stream = streams.organisation(organisationId);
  for (let n = 0; n < beyond; n += 1) {
    const entry = { organisationId, stream, expectedVersion: n + 1, events: [plan] };
    await store.append([entry], uploadMeta);
  }
  await pool.query(withoutConstraints);
  const { rows } = await pool.query<{ origin: string }>('SELECT origin FROM published_checkpoints');
  const origin = rows[0]?.origin ?? '';
  const verifier = readLogKey(noteSigner(origin, key).vkey);
  const trusted = verifier === null ? [] : [verifier];
  const faultsOf = async (
    database: pg.Pool | pg.PoolClient = pool,
    listedWithinMs = 0,
    readOutside: ReadOutside = async () => [],
  ): Promise<readonly Fault[]> => {
    const findings = new Findings();
    const keys = new KeyAudit(database, findings);
    await keys.tryAll({ present: masterKey });
    const of = { database, published, trusted, keys, findings };
    await auditLog({ ...of, listedWithinMs, readOutside });
    await keys.findMissing();
    return findings.report().faults;
  };
  return {
    ...{ pool, files: files.files, origin, faultsOf, store, leaves },
    /** Appends an event, and resolves with its position. */
    async grow() {
      await grow((await store.head()) + 1);
      return store.head();
    },
  };
}

test('an untouched log has no fault, and any change in it is found', async (t) => {
  const draw = seededRandom(t);
  const random = { below: (count: number) => Math.floor(draw() * count) };
  const log = await createPublishedLog(t);
  t.strictSame(await log.faultsOf(), []);
  const client = await log.pool.connect();
  t.teardown(() => client.release());
  const found = new Map<string, number>();
  for (let n = 0; n < mutationCount; n += 1) {
    const isOfFiles = random.below(4) === 0;
    const faults = isOfFiles ? await withFiles() : await withRows();
    const [said, name] = faults;
    if (said.length === 0) t.fail(`${name} is not found (number ${n})`);
    found.set(name.split(' ')[0] ?? '', (found.get(name.split(' ')[0] ?? '') ?? 0) + 1);
  }
  t.comment(JSON.stringify(Object.fromEntries(found)));
  t.ok(found.size >= Math.min(12, mutationCount / 3), 'changes of many kinds');
  t.strictSame(await log.faultsOf(), [], 'all changes were undone');

  async function withRows(): Promise<[readonly Fault[], string]> {
    await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
    try {
      const name = await mutateRows(client, random, { size, beyond });
      return [await log.faultsOf(client), name];
    } finally {
      await client.query('ROLLBACK');
    }
  }

  async function withFiles(): Promise<[readonly Fault[], string]> {
    const kept = new Map(log.files);
    try {
      const name = mutateFiles(log.files, random);
      return [await log.faultsOf(), name];
    } finally {
      log.files.clear();
      for (const [name, bytes] of kept) log.files.set(name, bytes);
    }
  }
});

test('a log that anchors and publishes more during its audit has no fault', async (t) => {
  const log = await createPublishedLog(t);
  const readOutside = async () => {
    const at = await log.grow();
    const root = rootOf(await log.leaves.read(0, at));
    return [{ in: 'ledger', origin: log.origin, size: at, root, name: 'the last one' }] as const;
  };
  t.strictSame((await log.faultsOf(log.pool, 0, readOutside)).map(faultInWords), []);
  const forged = async () => [{ ...(await readOutside())[0], root: Buffer.alloc(32) }];
  t.match((await log.faultsOf(log.pool, 0, forged)).map(faultInWords), [/^ledger: the last one/]);
});

test('faults name position and column', async (t) => {
  const log = await createPublishedLog(t);
  const client = await log.pool.connect();
  t.teardown(() => client.release());
  const cases: readonly [string, RegExp][] = [
    [
      "UPDATE events SET recorded_at = '2026-01-01' WHERE position = 7",
      /position 7 \(recorded_at\)/,
    ],
    [
      "UPDATE events SET leaf = sha256('') WHERE position = 9",
      /position 9 \(leaf\): the stored leaf does not match the event: one of them was changed$/,
    ],
    [
      "UPDATE events SET data = data || ' ' WHERE position = 295",
      /position 295 \(data\): the value is not .* canonical .*; the original value was \{/,
    ],
    [
      'UPDATE events SET schema = schema + 1 WHERE position = 8',
      /position 8 \(schema\): this release does not know schema 2 .*; the original value was 1$/,
    ],
    [
      "UPDATE events SET version = 7, leaf = sha256('') WHERE position = 8",
      /position 8 \(leaf,version\): the stored leaf does not match the event: .*; the original value was \d+$/,
    ],
    ['UPDATE events SET version = 4 WHERE position = 295', /position 295 \(version\)/],
    [
      'UPDATE log_head SET position = 300',
      /position 301 \(position\): .* after the last position that log_head states$/,
    ],
    ['DELETE FROM events WHERE position = 30', /position 30 \(position\): event 30 is missing/],
  ];
  for (const [text, expected] of cases) {
    await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
    await client.query(text);
    const faults = (await log.faultsOf(client)).map(faultInWords);
    await client.query('ROLLBACK');
    t.equal(faults.length, 1, `${text}: ${faults.join('; ')}`);
    t.match(faults[0], expected);
  }
});

test('a time that was altered with its leaf is one fault at its event', async (t) => {
  const log = await createPublishedLog(t);
  const client = await log.pool.connect();
  t.teardown(() => client.release());
  const dayMs = 86_400_000;
  const cases: readonly (readonly [days: number, expected: RegExp])[] = [
    [-40, /^events position 295 \(recorded_at\): the time is 40 days before that of the previous/],
    [40, /^events position 295 \(recorded_at\): the time is in the future$/],
  ];
  for (const [days, expected] of cases) {
    await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
    await rewriteRow(client, 295, ({ recorded_at: at }) => ({
      recorded_at: new Date(Date.parse(at) + days * dayMs).toISOString(),
    }));
    const faults = (await log.faultsOf(client)).map(faultInWords);
    await client.query('ROLLBACK');
    t.equal(faults.length, 1, faults.join('; '));
    t.match(faults[0], expected);
  }
});

test('a listed checkpoint with unknown signatures is a fault, a rotated key is known', async (t) => {
  const log = await createPublishedLog(t);
  const client = await log.pool.connect();
  t.teardown(() => client.release());
  const next = Buffer.alloc(32, 10);
  const foreign = Buffer.alloc(32, 11);
  /** Signs the listed checkpoints anew, with the keys of each. */
  const signAnew = async (keys: readonly (readonly Buffer[])[]) => {
    const { rows } = await client.query<{ number: number; note: string }>(
      'SELECT number, note FROM published_checkpoints ORDER BY number',
    );
    for (const [index, { number, note }] of rows.entries()) {
      const checkpoint = readCheckpoint(note);
      const signers = (keys[index] ?? [key]).map((seed) => noteSigner(log.origin, seed));
      if (checkpoint === null) throw new Error(`checkpoint ${number} cannot be read`);
      await client.query(
        'UPDATE published_checkpoints SET note = $2, vkeys = $3 WHERE number = $1',
        [number, signCheckpoint(checkpoint, signers), signers.map(({ vkey }) => vkey).join(' ')],
      );
    }
  };
  const faultsWith = async (...keys: readonly (readonly Buffer[])[]) => {
    await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
    await signAnew(keys);
    const faults = (await log.faultsOf(client)).map(faultInWords);
    await client.query('ROLLBACK');
    return faults;
  };
  t.strictSame(await faultsWith([key], [key, next], [next]), [], 'a rotation');
  const [name, newest] = [...log.files].findLast(([name]) => name.startsWith('checkpoint')) ?? [];
  const checkpoint = readCheckpoint(newest?.toString() ?? '');
  if (name === undefined || newest === undefined || checkpoint === null) throw new Error('no note');
  const signNewest = (seed: Buffer) =>
    log.files.set(name, Buffer.from(signCheckpoint(checkpoint, [noteSigner(log.origin, seed)])));
  signNewest(next);
  t.strictSame(await faultsWith([key], [key, next], [next]), [], 'the newest, after a rotation');
  signNewest(foreign);
  t.match(await faultsWith([key], [key, next], [next]), [
    /newest checkpoint .* not signed by a known/,
  ]);
  log.files.set(name, newest);
  t.match(await faultsWith([foreign], [key], [foreign]), [
    /^checkpoints \(vkeys\): 2 listed checkpoints are signed with unknown keys only: \S+\. If one was/,
  ]);
  t.match(await faultsWith([foreign], [foreign, next], [key]), [
    /1 listed checkpoints are signed/,
    /1 listed checkpoints are signed/,
  ]);
});

test('missing checkpoints in the storage are a fault, a checkpoint listed a moment later is not', async (t) => {
  const log = await createPublishedLog(t);
  const kept = new Map(log.files);
  log.files.clear();
  t.match((await log.faultsOf()).map(faultInWords), [
    'checkpoints: 3 checkpoints are listed in the database, but there is none under STORAGE_URL',
  ]);
  for (const [name, bytes] of kept) log.files.set(name, bytes);
  const client = await log.pool.connect();
  t.teardown(() => client.release());
  await client.query("SET session_replication_role = 'replica'");
  await client.query(
    'CREATE TABLE unlisted AS SELECT number, note, vkeys FROM published_checkpoints WHERE number = 3',
  );
  await client.query('DELETE FROM published_checkpoints WHERE number = 3');
  t.match((await log.faultsOf()).map(faultInWords), [
    /covers 290 events, but it is not the last one listed/,
  ]);
  const listing = new Proxy(log.pool, {
    get(pool, name) {
      if (name !== 'query') return Reflect.get(pool, name);
      return async (text: string, values?: unknown[]) => {
        const found = await pool.query(text, values);
        // The publisher inserts the checkpoint right after the audit found none.
        if (text.includes('ORDER BY number DESC')) {
          await client.query(
            'INSERT INTO published_checkpoints (number, note, vkeys) SELECT * FROM unlisted ON CONFLICT DO NOTHING',
          );
          await client.query('DELETE FROM unlisted');
        }
        return found;
      };
    },
  });
  t.strictSame(await log.faultsOf(listing, 60_000), []);
});

test('an older checkpoint in the storage than the last listed one is a fault', async (t) => {
  const log = await createPublishedLog(t);
  const { rows } = await log.pool.query<{ note: string }>(
    'SELECT note FROM published_checkpoints WHERE number = 2',
  );
  const [name] = [...log.files].findLast(([one]) => one.startsWith('checkpoint')) ?? [];
  log.files.set(name ?? '', Buffer.from(rows[0]?.note ?? ''));
  t.match((await log.faultsOf()).map(faultInWords), [
    /covers 256 events, but a checkpoint of 290 events is listed/,
  ]);
});
