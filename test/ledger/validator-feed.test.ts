import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'tap';
import { startFaultyServer } from '../../ops/crash/faulty-server.ts';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import type { ChargeBook } from '../../src/ledger/charge-book.ts';
import { createChargeBooks } from '../../src/ledger/charge-books.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { openValidatorFeed } from '../../src/ledger/validator-feed.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { until } from '../support/until.ts';

test('requests of the feed and of the gateway are charged in one book', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  ledger.faults.chargeClients();
  const { ledgerIndex, ledgerHash } = await ledger.close();
  const books = createChargeBooks();
  const urls = [ledger.url];
  const gateway = openGateway({ network: 'testnet', urls, books });
  t.teardown(() => gateway.close());
  await until('a connection', async () => gateway.current().connected);
  const before = gateway.submissionsWithin(0);
  const feed = openValidatorFeed({ urls, books });
  t.teardown(() => feed.close());
  await until('a header', async () => (await feed.header(ledgerIndex, ledgerHash)) !== null);
  for (let count = 0; count < 2_000; count += 1) await feed.header(ledgerIndex, ledgerHash);
  // 20 submissions cost as much as 400 headers.
  const after = gateway.submissionsWithin(0);
  t.ok(after < before - 50, `${before} submissions, then ${after}`);
});

test('a feed that the server drops for its load is noted in the book', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  const { ledgerIndex, ledgerHash } = await ledger.close();
  const real = createChargeBooks();
  const refusals: string[] = [];
  const books = (url: string): ChargeBook => ({
    ...real(url),
    refused: (how) => refusals.push(how),
  });
  const feed = openValidatorFeed({ urls: [ledger.url], books });
  t.teardown(() => feed.close());
  await until('a header', async () => (await feed.header(ledgerIndex, ledgerHash)) !== null);
  ledger.faults.closeConnections(1008);
  await until('the drop', async () => refusals.length > 0);
  t.strictSame(refusals, ['dropped']);
});

test('a server that answers late does not hold up a chain of headers', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 0 });
  t.teardown(() => ledger.stop());
  const late = await startFaultyServer(ledger.url);
  t.teardown(() => late.close());
  const feed = openValidatorFeed({ urls: [late.url, ledger.url] });
  t.teardown(() => feed.close());
  let messages = 0;
  feed.messages.subscribe(() => {
    messages += 1;
  });
  // Four validators, heard through both servers.
  const subscribed = async () => {
    messages = 0;
    await ledger.close();
    await sleep(100);
    return messages === 8;
  };
  await until('both subscriptions', subscribed);
  const { ledgerIndex, ledgerHash } = await ledger.close();
  late.misbehave('lagging', 60_000);
  const startedAt = performance.now();
  for (let count = 0; count < 20; count += 1) {
    t.ok(await feed.header(ledgerIndex, ledgerHash));
  }
  // Each header takes this server 3 s.
  t.ok(performance.now() - startedAt < (await onThisMachine(10_000)));
});
