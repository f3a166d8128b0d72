import { test } from 'tap';
import { revokeKey } from '../../../src/commands/revoke-key.ts';
import type { KeyId } from '../../../src/domain/ulid.ts';
import { createKeyUses, readKeyUses } from '../../../src/http/keys/key-uses.ts';
import { query } from '../../embedded/run-service.ts';
import { createTestStore } from '../../support/event-store.ts';
import { joinHttpService, operator } from '../../support/http-service.ts';
import { until } from '../../support/until.ts';

const key = '01M7XT9M1N2P3Q4R5S6T7V8W9X' as KeyId;

test('the last use is written soon afterwards by the database’s clock, and never decreases', async (t) => {
  const { db, url } = await createTestStore(t);
  const troubles: unknown[] = [];
  const open = () => {
    const uses = createKeyUses(db, { onError: (error) => troubles.push(error), flushMs: 20 });
    t.teardown(() => uses.close());
    return uses;
  };
  const lastUse = async () => (await readKeyUses(db, [key])).get(key);
  const [one, other] = [open(), open()];
  t.equal(await lastUse(), undefined);
  one.note(key);
  const first = await until('the use is written', lastUse);
  const [clock] = await query(url, 'SELECT now() AS now');
  const now = (clock?.now as Date | undefined)?.getTime() ?? 0;
  const agoMs = now - Date.parse(first);
  t.ok(agoMs >= 0 && agoMs < 60_000, `${agoMs} ms`);
  await query(url, `UPDATE key_uses SET last_used_at = last_used_at + interval '1 hour'`);
  const later = await lastUse();
  other.note(key);
  await other.flush();
  t.equal(await lastUse(), later, 'a later use seen by another process stays');

  await query(url, 'ALTER TABLE key_uses RENAME TO hidden');
  await query(url, "UPDATE hidden SET last_used_at = now() - interval '1 day'");
  one.note(key);
  await until('a write has failed', async () => troubles.length > 0);
  await query(url, 'ALTER TABLE hidden RENAME TO key_uses');
  await until('the use is written after the failure', async () => {
    const found = await lastUse();
    return found !== undefined && Date.parse(found) > now;
  });
});

test('the last use includes calls refused for lack of scope, but none after revocation', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId, key: admin } = await service.openOrganisation();
  const issued = await service.issueKey(organisationId, { scopes: ['documents:read'] });
  const list = async () => (await service.call('GET', '/api-keys', { key: admin })).body.data;
  const [own, unused] = await list();
  t.match(
    own.lastUsedAt,
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    'set by the listing call itself',
  );
  t.equal(unused.lastUsedAt, null);
  await service.call('GET', '/workspaces', { key: issued });
  const [, refused] = await list();
  t.ok(refused.lastUsedAt > own.lastUsedAt);
  await revokeKey(service.store, unused.id, null, operator);
  await until('the key is revoked', async () => {
    const { status } = await service.call('GET', '/documents', { key: issued });
    return status === 401;
  });
  const [, revoked] = await list();
  await service.call('GET', '/documents', { key: issued });
  const [again, still] = await list();
  t.match(still, { status: 'revoked', lastUsedAt: revoked.lastUsedAt });
  t.ok(again.lastUsedAt > own.lastUsedAt);
});
