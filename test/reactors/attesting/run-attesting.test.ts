import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { createAttestingSite, listening, type StartOptions } from '../../support/attesting-site.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';

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
  t.ok(performance.now() - stoppedAt < (await onThisMachine(5_000)));
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
  // Ledgers closed before it heard validators are linked to this one.
  await site.until(() => running.pending() === 0);
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
    const deaf = await site.start({ feed: (real) => ({ ...real, header: async () => null }) });
    // A later ledger is attested on record, so the missed one can be linked to it.
    await listening(site);
    await deaf.stop();
    let asked = 0;
    const first = await site.start({
      ...options,
      feed(real) {
        const feed = options.feed?.(real) ?? real;
        const header: typeof feed.header = (...of) => {
          asked += 1;
          return feed.header(...of);
        };
        return { ...feed, header };
      },
    });
    await site.until(() => asked > 0);
    t.equal(await site.attestationOf(missed), null);
    const second = await site.start();
    await site.until(async () => {
      await site.close();
      return (await site.attestationOf(missed)) !== null;
    });
    t.equal((await site.attested(missed)).type, 'LedgerLinked');
    t.strictSame([...first.errors, ...second.errors], []);
  });
}
