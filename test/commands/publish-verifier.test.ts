import { test } from 'tap';
import { publishVerifier } from '../../src/commands/publish-verifier.ts';
import type { Digest } from '../../src/domain/proof/digest.ts';
import { createTestStore, openTestStore } from '../support/event-store.ts';

const meta = { actor: 'start' } as const;
const [first, second] = ['a'.repeat(64), 'b'.repeat(64)] as [Digest, Digest];

test('several processes that start at once record their verifier once', async (t) => {
  const { url, store } = await createTestStore(t);
  const others = Array.from({ length: 6 }, () => openTestStore(t, url).store);
  await Promise.all(others.map((other) => publishVerifier(other, first, meta)));
  t.match(await store.readLog(0, 100), [
    {
      ...{ stream: 'published-verifier', type: 'VerifierPublished', organisationId: null },
      data: { sha256: first },
    },
  ]);
  t.equal(await store.head(), 1);
});

test('a new verifier is recorded, and an earlier one not again', async (t) => {
  const { store } = await createTestStore(t);
  for (const sha256 of [first, second, first, second]) await publishVerifier(store, sha256, meta);
  const recorded = await store.readLog(0, 100);
  t.strictSame(
    recorded.map((event) => event.type === 'VerifierPublished' && event.data.sha256),
    [first, second],
  );
});
