import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import { openOrganisation } from '../../src/commands/open-organisation.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { createKeyring, MasterKeyMismatch } from '../../src/event-store/keyring.ts';
import { countWrappedKeys, rewrapKeys } from '../../src/event-store/rewrap-keys.ts';
import { createTestStore, testDeps } from '../support/event-store.ts';
import { streamNamed } from '../support/stream-named.ts';

const operator = { actor: 'operator' } as const;

test('replaces the master key while processes run, and the old one then opens nothing', async (t) => {
  const { pool, masterKey: old } = await createTestStore(t);
  const fresh = randomBytes(32);
  /** A process started with these master keys. */
  const start = (present: Buffer, ...former: Buffer[]) =>
    createEventStore({ pool, keyring: createKeyring(pool, { present, former }) });
  const open = (store: ReturnType<typeof start>, name: string) =>
    openOrganisation({ ...testDeps, store }, { name, plan: 'professional' }, operator);
  const nameOf = async (store: ReturnType<typeof start>, organisationId: string) => {
    const [opened] = await store.readStream(streamNamed(`organisation-${organisationId}`));
    return opened?.type === 'OrganisationOpened' ? opened.data.name : null;
  };

  const first = await open(start(old), 'Before');
  // Processes restart one after another, so one wraps with the new key while another uses the old
  // one.
  const [knowsBoth, isNew] = [start(old, fresh), start(fresh, old)];
  const [second, third] = [await open(knowsBoth, 'Between'), await open(isNew, 'Since')];
  t.equal(await nameOf(knowsBoth, third), 'Since');
  t.equal(await nameOf(isNew, second), 'Between');

  const masterKeys = { present: fresh, former: [old] };
  t.strictSame(await countWrappedKeys(pool, masterKeys), { present: 2, former: 4 });
  const progress: number[] = [];
  t.strictSame(await rewrapKeys(pool, masterKeys, (done) => progress.push(done)), {
    present: 2,
    former: 4,
  });
  t.strictSame(progress, [6]);
  t.strictSame(await rewrapKeys(pool, masterKeys), { present: 6, former: 0 }, 'once is enough');

  const alone = start(fresh);
  t.strictSame(await Promise.all([first, second, third].map((id) => nameOf(alone, id))), [
    'Before',
    'Between',
    'Since',
  ]);
  t.equal(await alone.index(first, 'value'), await knowsBoth.index(first, 'value'));
  await t.rejects(nameOf(start(old), first), MasterKeyMismatch);
});

test('rewraps no key if any key cannot be opened', async (t) => {
  const { pool, store, masterKey: old } = await createTestStore(t);
  const order = { name: 'Acme', plan: 'professional' } as const;
  for (const _ of [1, 2]) await openOrganisation({ ...testDeps, store }, order, operator);
  const foreign = createKeyring(pool, randomBytes(32));
  await foreign.create('zzzz');
  const before = await pool.query('SELECT * FROM data_keys ORDER BY key_id');
  const masterKeys = { present: randomBytes(32), former: [old] };
  await t.rejects(rewrapKeys(pool, masterKeys), MasterKeyMismatch);
  await t.rejects(countWrappedKeys(pool, masterKeys), /organisation zzzz/);
  t.same((await pool.query('SELECT * FROM data_keys ORDER BY key_id')).rows, before.rows);
});
