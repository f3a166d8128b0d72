import { type Test, test } from 'tap';
import { Wallet } from 'xrpl';
import type { ProofId } from '../../../src/domain/ulid.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import type { LedgerGateway } from '../../../src/ledger/contract.ts';
import { openGateway } from '../../../src/ledger/gateway.ts';
import { LedgerUnavailable } from '../../../src/ledger/ledger-unavailable.ts';
import { compareSent } from '../../../src/transparency-log/guard/compare-sent.ts';
import { type AnchoringSite, createAnchoringSite } from '../../support/anchoring-site.ts';
import { createTestStore } from '../../support/event-store.ts';
import { copyUpTo } from '../../support/log-copy.ts';
import { until } from '../../support/until.ts';

/** Compares a copy of the site's log with its ledger. */
async function comparing(t: Test, site: AnchoringSite, addresses = [site.wallet.address]) {
  // An empty database, since a copy has no newer checkpoints of reactors.
  const { db } = await createTestStore(t);
  const gateway = openGateway({ network: 'testnet', urls: [site.ledger.url] });
  t.teardown(() => gateway.close());
  await until('the gateway is connected', async () => gateway.current().connected);
  return (end: number, other: Partial<LedgerGateway> = {}) => {
    const store = copyUpTo(site.store, end);
    const shown = { ...gateway, ...other };
    return compareSent({ store, db, gateway: shown, addresses });
  };
}

const at = (events: readonly StoredEvent[], type: string) =>
  events.filter((event) => event.type === type);

const takenBy = (event: StoredEvent) => (event.type === 'SequencesTaken' ? event.data.taken : []);

test('for a copy ending at any event, finds the transactions that the copy has lost', async (t) => {
  const site = await createAnchoringSite(t);
  let lost = '';
  const { stop } = await site.start({
    gateway: (real) => ({
      ...real,
      submit(blob) {
        lost ||= blob;
        return blob === lost ? Promise.reject(new LedgerUnavailable('lost')) : real.submit(blob);
      },
    }),
  });
  // The first transaction expires, and another one takes its Sequence.
  const early = await site.request({ queued: true });
  await site.until(early, ({ status }) => status === 'processing');
  await site.settle([early]);
  const rest: ProofId[] = [];
  for (const _ of [1, 2]) rest.push(await site.request(), await site.request());
  await site.settle(rest);
  await stop();
  const compare = await comparing(t, site);
  const log = await site.store.readLog(0, 1_000);
  const onLedger = new Set((await site.anchored()).map(({ hash }) => hash));
  t.equal(onLedger.size, 5);
  t.ok(at(log, 'AnchorExpired').length > 0);
  for (const { position: end } of log) {
    const [kept, gone] = [log.slice(0, end), log.slice(end)];
    // Events appended together are copied together.
    if (at(kept, 'AnchorPrepared').length !== kept.flatMap(takenBy).length) {
      continue;
    }
    const forgotten = at(gone, 'AnchorPrepared').flatMap(({ stream, data }) => {
      const hash = 'transactionHash' in data ? data.transactionHash : '';
      return onLedger.has(hash) ? [{ stream, hash }] : [];
    });
    // An account unused in the copy may have served other logs, so only open proofs count.
    const isUsed = at(kept, 'SequencesTaken').length > 0;
    const requested = new Set(at(kept, 'ProofRequested').map(({ stream }) => stream));
    const expected = forgotten.filter(({ stream }) => isUsed || requested.has(stream));
    const found = await compare(end);
    if (expected.length === 0) t.equal(found.status, 'agrees', `up to ${end}`);
    else {
      t.equal(found.status, 'forgotten', `up to ${end}`);
      const hashes = found.status === 'forgotten' ? found.transactions.map(({ hash }) => hash) : [];
      t.strictSame(hashes.sort(), expected.map(({ hash }) => hash).sort());
    }
  }

  await t.test(
    'a transaction that another process signs during the comparison is known',
    async (t) => {
      const end = at(log, 'AnchorPrepared').at(-1)?.position ?? 0;
      const view = { end: end - 1 };
      const behind = { ...site.store, readNewest: site.store.readNewest };
      behind.readNewest = (stream, limit) =>
        copyUpTo(site.store, view.end).readNewest(stream, limit);
      const { db } = await createTestStore(t);
      const real = openGateway({ network: 'testnet', urls: [site.ledger.url] });
      t.teardown(() => real.close());
      await until('the gateway is connected', async () => real.current().connected);
      const gateway: LedgerGateway = {
        ...real,
        async sent(address, from) {
          view.end = log.length;
          return real.sent(address, from);
        },
      };
      const addresses = [site.wallet.address];
      const found = await compareSent({ store: behind, db, gateway, addresses });
      t.strictSame(found, { status: 'agrees', last: null });
      t.equal(view.end, log.length, 'the ledger was read');
    },
  );

  await t.test("when the servers' history ends too early, the result is unknown", async (t) => {
    const end = (at(log, 'SequencesTaken')[0]?.position ?? 0) + 1;
    const none = async () => ({ transactions: [], searchedFrom: 99, next: null });
    const { address } = site.wallet;
    const ends = { status: 'history-ends', network: 'testnet', account: address, searchedFrom: 99 };
    t.strictSame(await compare(end, { sent: none }), ends);
    t.strictSame(await compare(log.length, { sent: none }), { status: 'agrees', last: null });
  });

  await t.test('the answers of servers that connect meanwhile do not count', async (t) => {
    const end = (at(log, 'SequencesTaken')[0]?.position ?? 0) + 1;
    const gateway = openGateway({ network: 'testnet', urls: [site.ledger.url] });
    t.teardown(() => gateway.close());
    const connected = await until('the gateway is connected', async () => {
      const status = gateway.current();
      return status.connected ? status : null;
    });
    let epoch = connected.epoch;
    const changed = {
      current: () => ({ ...connected, epoch }),
      account: async () => {
        epoch = 'with another server';
        return null;
      },
    };
    await t.rejects(compare(end, changed), /the servers of \w+ have changed while they were asked/);
    let asked = 0;
    const joining = {
      current: () => ({ ...connected, epoch: String(Math.min(asked, 1)) }),
      ledgers: async (index: number) => {
        asked += 1;
        return gateway.ledgers(index);
      },
    };
    t.match(await compare(end, joining), { status: 'forgotten' });
    t.equal(asked, 2, 'a server that connects during the confirmation is compared');
  });

  await t.test('ignores other transactions of the account', async (t) => {
    const { address } = site.wallet;
    const state = async () => {
      const { result } = await site.stranger.request({
        command: 'account_info',
        account: address,
        ledger_index: 'validated',
      });
      return result.account_data;
    };
    const next = async () => (await state()).Sequence;
    const before = await next();
    const other = { TransactionType: 'AccountSet', Account: address } as const;
    await site.stranger.submit(other, { wallet: site.wallet });
    await site.closeUntil(async () => (await next()) === before + 1);
    t.strictSame(await compare(log.length), { status: 'agrees', last: null });
    const create = { TransactionType: 'TicketCreate', Account: address, TicketCount: 1 } as const;
    await site.stranger.submit(create, { wallet: site.wallet });
    await site.closeUntil(async () => (await next()) === before + 3);
    const ticketed = { ...other, Sequence: 0, TicketSequence: before + 2 };
    await site.stranger.submit(ticketed, { wallet: site.wallet });
    await site.closeUntil(async () => (await state()).OwnerCount === 0);
    t.strictSame(
      await compare(log.length),
      { status: 'agrees', last: null },
      'a transaction with a ticket',
    );
    const end = (at(log, 'Anchored')[0]?.position ?? 0) + 1;
    t.match(await compare(end), { status: 'forgotten' }, 'older transactions are read too');
    const withUnused = await comparing(t, site, [Wallet.generate().address, address]);
    t.strictSame(
      await withUnused(log.length),
      { status: 'agrees', last: null },
      'an account that does not exist',
    );
  });
});
