import { sql } from 'kysely';
import { test } from 'tap';
import { signCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { createLogKeys } from '../../../src/transparency-log/publish/create-log-keys.ts';
import {
  addPublished,
  findSigningSets,
} from '../../../src/transparency-log/published/published-checkpoints.ts';
import { createTestStore } from '../../support/event-store.ts';

const log = 'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y';

test('lists all keys of published checkpoints, including later ones', async (t) => {
  const { db: history } = await createTestStore(t);
  const publish = async (number: number, origin: string, ...seeds: readonly number[]) => {
    const signers = seeds.map((seed) => noteSigner(origin, Buffer.alloc(32, seed)));
    const note = signCheckpoint({ origin, size: number, root: Buffer.alloc(32) }, signers);
    const vkeys = signers.map(({ vkey }) => vkey);
    t.ok(await addPublished(history, { number, note, vkeys }));
    return vkeys;
  };
  const keys = createLogKeys({ origin: `${log}/2`, history, seeds: [] });
  t.strictSame(await keys(), []);
  const [first] = await publish(1, log, 1);
  t.strictSame(await keys(), [first]);
  const [second] = await publish(2, log, 2, 1);
  await publish(3, log, 1);
  t.strictSame(
    new Set(await keys()),
    new Set([first, second]),
    'a key that signed only for a while',
  );
  const [third] = await publish(4, `${log}/2`, 1);
  const all = [third, first, second];
  t.strictSame(await keys(), all);
  t.strictSame(await createLogKeys({ origin: `${log}/2`, history, seeds: [] })(), all);
  const [sameAtOnce, again] = await Promise.all([keys(), keys()]);
  t.strictSame(sameAtOnce, again);
  const configured = createLogKeys({ origin: `${log}/2`, history, seeds: [Buffer.alloc(32, 3)] });
  const [fourth] = await configured();
  t.equal(fourth, noteSigner(`${log}/2`, Buffer.alloc(32, 3)).vkey);
});

test('reads a few rows for each set of keys, however many checkpoints were published', async (t) => {
  const { db: history, pool } = await createTestStore(t);
  const signer = noteSigner(log, Buffer.alloc(32, 1));
  const note = signCheckpoint({ origin: log, size: 1, root: Buffer.alloc(32) }, [signer]);
  await pool.query(
    `INSERT INTO published_checkpoints (number, note, vkeys)
     SELECT n, replace($1, E'\n1\n', E'\n' || n || E'\n'), CASE WHEN n > 10000 THEN $2 ELSE $3 END
     FROM generate_series(1, 20000) AS n`,
    [note, signer.vkey, `${signer.vkey} ${noteSigner(log, Buffer.alloc(32, 2)).vkey}`],
  );
  await pool.query('ANALYZE published_checkpoints');
  const { rows } = await sql<{ 'QUERY PLAN': readonly [{ Plan: Record<string, number> }] }>`
    EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${findSigningSets}`.execute(history);
  const { Plan: plan } = rows[0]?.['QUERY PLAN'][0] ?? { Plan: {} };
  t.equal(plan['Actual Rows'], 2);
  const blocks = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  t.ok(blocks > 0 && blocks < 50, `${blocks} blocks`);
  t.equal((await createLogKeys({ origin: log, history, seeds: [] })()).length, 2);
});
