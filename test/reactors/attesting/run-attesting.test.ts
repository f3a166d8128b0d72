import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { createAttestingSite, listening, type StartOptions } from '../../support/attesting-site.ts';

test('a publisher that does not answer does not delay the stop', async (t) => {
  const site = await createAttestingSite(t);
  let requests = 0;
  const hanging = createServer(() => {
    requests += 1;
  });
  await new Promise<void>((listening) => hanging.listen(0, '127.0.0.1', listening));
  t.teardown(() => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const { port } = hanging.address() as AddressInfo;
  const { publisherKey } = site.ledger.validatorList;
  const lists = [{ url: `http://127.0.0.1:${port}/list`, publisherKey }];
  const { stop, errors, listTroubles } = await site.start({ lists });
  await site.until(() => requests === 1);
  const stoppedAt = performance.now();
  await stop();
  t.ok(performance.now() - stoppedAt < 5_000);
  t.strictSame([...errors, ...listTroubles], [], 'and is not reported');
});

test('of two processes that start for the first time, the later one does not skip events', async (t) => {
  const site = await createAttestingSite(t);
  const first = await site.start();
  const begun = first.running.position();
  await first.stop();
  const index = await site.close('anchor');
  // It looked for a checkpoint before the other process saved one.
  const checkpoints = (real: Parameters<NonNullable<StartOptions['checkpoints']>>[0]) => ({
    ...real,
    load: async () => null,
  });
  const second = await site.start({ checkpoints });
  t.ok(begun < (await site.store.head()));
  await site.until(async () => {
    await site.close();
    return (await site.attestationOf(index)) !== null;
  });
  t.strictSame(second.errors, []);
});

test('events that change nothing are not saved at once, but when the process stops', async (t) => {
  const site = await createAttestingSite(t);
  const saved: number[] = [];
  const checkpoints = (real: Parameters<NonNullable<StartOptions['checkpoints']>>[0]) => ({
    ...real,
    async save<State>(
      name: string,
      checkpoint: { readonly position: number; readonly state: State },
    ) {
      saved.push(checkpoint.position);
      await real.save(name, checkpoint);
    },
  });
  const { running, stop } = await site.start({ checkpoints });
  await listening(site);
  const index = await site.close('anchor');
  await site.attested(index);
  const attestedAt = await site.store.head();
  await site.until(() => saved.includes(attestedAt));
  await site.anchor(index);
  const head = await site.store.head();
  await site.until(() => running.position() === head);
  await sleep(2_500);
  t.equal(saved.at(-1), attestedAt);
  await stop();
  t.equal(saved.at(-1), head);
});

const failing: readonly (readonly [string, StartOptions])[] = [
  ['reaches no server', { urls: ['ws://127.0.0.1:1'] }],
  ['has servers without the headers', { feed: (real) => ({ ...real, header: async () => null }) }],
];
for (const [why, options] of failing) {
  test(`a process that ${why} leaves missed ledgers to another one`, async (t) => {
    const site = await createAttestingSite(t);
    const killed = await site.start();
    await listening(site);
    await killed.stop();
    const missed = await site.close('anchor');
    const first = await site.start(options);
    // Long enough to try to link the ledger.
    await sleep(1_000);
    t.equal(first.running.pending(), 1);
    const second = await site.start();
    await site.until(async () => {
      await site.close();
      return (await site.attestationOf(missed)) !== null;
    });
    t.equal((await site.attested(missed)).type, 'LedgerLinked');
    t.strictSame([...first.errors, ...second.errors], []);
  });
}
