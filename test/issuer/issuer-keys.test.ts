import { createHash, createPublicKey, verify } from 'node:crypto';
import { type Test, test } from 'tap';
import { openLog } from '../../src/commands/open-log.ts';
import { streams } from '../../src/domain/streams.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import { rewrapKeys } from '../../src/event-store/rewrap-keys.ts';
import { createIssuerKeys } from '../../src/issuer/issuer-keys.ts';
import { recordIssuerCompromise, rotateIssuerKey } from '../../src/issuer/rotate-issuer-key.ts';
import { createTestStore, openTestStore, testDeps } from '../support/event-store.ts';

const meta = { actor: 'operator' } as const;

async function createSite(t: Test) {
  const site = await createTestStore(t);
  const logId = await openLog({ ...testDeps, store: site.store }, meta);
  return { ...site, logId, events: () => site.store.readStream(streams.issuer(logId)) };
}

/** Public key of NAME+ID+KEY, for node:crypto. Checks the id. */
function publicKeyOf(vkey: string, t: Test) {
  const [name = '', id, ...rest] = vkey.split('+');
  const typed = Buffer.from(rest.join('+'), 'base64');
  const named = Buffer.concat([Buffer.from(`${name}\n`), typed]);
  t.equal(createHash('sha256').update(named).digest('hex').slice(0, 8), id);
  t.equal(typed[0], 1);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

test('many processes that start at once publish one key, which signs', async (t) => {
  const site = await createSite(t);
  const processes = [1, 2, 3, 4].map(() => openTestStore(t, site.url, { maxConnections: 2 }));
  const keys = await Promise.all(processes.map((one) => createIssuerKeys(one).current()));
  t.equal(new Set(keys.map(({ key }) => key)).size, 1);
  t.match(await site.events(), [{ type: 'IssuerKeyPublished', data: { key: keys[0]?.key } }]);
  t.equal((await site.events()).length, 1);
  const [{ key, sign }] = keys as [(typeof keys)[0]];
  t.match(key, new RegExp(`^proofmark/${site.logId}/issuer\\+`));
  const text = 'proofmark/bundle\nabc\n';
  t.ok(verify(null, Buffer.from(text), publicKeyOf(key, t), sign(text)));
});

test('of concurrent rotations one rotates, and the others are refused', async (t) => {
  const site = await createSite(t);
  const first = await createIssuerKeys(site).current();
  const processes = [1, 2, 3].map(() => openTestStore(t, site.url, { maxConnections: 2 }));
  const results = await Promise.allSettled(
    processes.map((one) => rotateIssuerKey(one, null, meta)),
  );
  const done = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  t.ok(done.length >= 1);
  for (const one of results) {
    if (one.status === 'rejected') t.match(one.reason, { code: 'INVALID_REQUEST' });
  }
  t.equal((await site.events()).length, 1 + 2 * done.length);
  t.equal(
    done.filter(({ retired }) => retired === first.key).length,
    1,
    'each key is retired once',
  );
  const now = await createIssuerKeys(site).current();
  t.not(now.key, first.key);
  t.equal(now.version, 1 + 2 * done.length);
});

test('keys are listed with the positions of their events', async (t) => {
  const site = await createSite(t);
  const keys = createIssuerKeys(site);
  t.strictSame(await keys.list(), []);
  await keys.current();
  const { retired, published } = await rotateIssuerKey(site, null, meta);
  const since = '2026-11-23T00:00:00.000Z';
  await recordIssuerCompromise(site, { key: retired, since }, meta);
  t.match(await keys.list(), [
    { key: published, publishedPosition: 4, retiredPosition: null, compromisedPosition: null },
    {
      ...{ key: retired, compromisedSince: since },
      ...{ publishedPosition: 2, retiredPosition: 3, compromisedPosition: 5 },
    },
  ]);
  await t.rejects(recordIssuerCompromise(site, { key: published, since }, meta), {
    code: 'INVALID_REQUEST',
  });
});

test('another master key wraps the same keys', async (t) => {
  const site = await createSite(t);
  const { key } = await createIssuerKeys(site).current();
  const present = Buffer.alloc(32, 9);
  await rewrapKeys(site.pool, { present, former: [site.masterKey] });
  const keyring = createKeyring(site.pool, present);
  t.equal((await createIssuerKeys({ store: site.store, keyring }).current()).key, key);
});

test('a lost private part is named, and a rotation replaces it', async (t) => {
  const site = await createSite(t);
  await createIssuerKeys(site).current();
  await site.pool.query("DELETE FROM data_keys WHERE organisation_id = 'issuer-1'");
  const other = openTestStore(t, site.url, { maxConnections: 2 });
  await t.rejects(createIssuerKeys(other).current(), /issuer-1.*ops issuer rotate/);
  const { published } = await rotateIssuerKey(other, null, meta);
  t.equal((await createIssuerKeys(other).current()).key, published);
});
