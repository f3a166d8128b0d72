import { randomBytes } from 'node:crypto';
import { filter, firstValueFrom, timeout } from 'rxjs';
import { type Test, test } from 'tap';
import { ulid } from 'ulid';
import { settleLedger } from '../../ops/ledger/settle-ledger.ts';
import type { KnownLedger } from '../../src/anchoring-state/ledger-identity.ts';
import { anchoringCheckpoint, readAnchoring } from '../../src/anchoring-state/read-anchoring.ts';
import { joinLedger } from '../../src/commands/join-ledger.ts';
import { openLog } from '../../src/commands/open-log.ts';
import { type Network, networkIds } from '../../src/domain/network.ts';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { createEventStore } from '../../src/event-store/create-event-store.ts';
import { openDatabase } from '../../src/event-store/database.ts';
import { createKeyring } from '../../src/event-store/keyring.ts';
import type { LedgerGateway, LedgerStatus } from '../../src/ledger/contract.ts';
import { openGateway } from '../../src/ledger/gateway.ts';
import { createReactorCheckpoints } from '../../src/subscriptions/reactor-checkpoint.ts';
import { startAnnouncingRelay } from '../support/announcing-relay.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const farFuture = 2_000_000_000;

/** A log that has joined a ledger, with this ledger's server. */
async function joined(t: Test, network: Network) {
  const { url } = await createTestDatabase(t);
  const { db, pool, close } = openDatabase(url, { maxConnections: 2 });
  t.teardown(close);
  const store = createEventStore({ pool, keyring: createKeyring(pool, randomBytes(32)) });
  await openLog({ store, newId: () => ulid() }, { actor: 'start' });
  const networkId = networkIds[network];
  const ledger = await createStandaloneLedger({ closeMs: 0, networkId });
  t.teardown(() => ledger.stop());
  for (let count = 0; count < 5; count += 1) await ledger.close();
  const relay = await startAnnouncingRelay(t, ledger.url);
  const gateway = openGateway({ network, urls: [relay.url] });
  t.teardown(() => gateway.close());
  const connected = filter(() => gateway.current().connected);
  await firstValueFrom(gateway.status.pipe(connected, timeout(20_000)));
  const status = gateway.current();
  if (!status.connected) throw new Error('not connected');
  const { tip } = status;
  await joinLedger(store, { network, networkId, standalone: true, tip }, {});
  const source = { store, db };
  const known = async () => (await readAnchoring(source, network)).ledger;
  /** Saves this tip as the newest known ledger, as earlier releases did with any reported one. */
  const remember = async (invented: KnownLedger['tip']) => {
    const { ledgerId } = (await known()) ?? { ledgerId: '' };
    const state = {
      ...{ proofIds: [], gapFills: [], gone: [], retired: [] },
      ledger: { ledgerId, tip: invented },
    };
    const position = await store.head();
    await createReactorCheckpoints(db).save(anchoringCheckpoint(network), { position, state });
  };
  const session = { ...source, meta: { actor: 'operator' as const }, now: () => new Date() };
  const settle = (
    statement: { readonly same?: boolean } = {},
    now = () => new Date(),
    asked: LedgerGateway = gateway,
  ) =>
    settleLedger({ ...session, now }, { gateway: asked, keys: [], checkpointKey: null }, statement);
  return { tip, known, remember, settle, relay, gateway };
}

const hash = 'F'.repeat(64);

for (const network of ['mainnet', 'testnet'] as const) {
  test(`an operator can replace an invented newest ledger of ${network}`, async (t) => {
    const { tip, known, remember, settle } = await joined(t, network);
    for (const invented of [
      { index: tip.index + 1_000_000, hash, closeTime: 0 },
      { index: tip.index + 1_000_000, hash, closeTime: farFuture },
      { index: tip.index - 1, hash, closeTime: farFuture },
    ]) {
      await remember(invented);
      t.strictSame((await known())?.tip, invented);
      const settled = await settle({ same: true });
      t.match(settled, { outcome: 'same', index: tip.index });
      t.strictSame((await known())?.tip, tip);
      t.equal(await settle(), null, 'there is nothing to settle any more');
    }
  });
}

test('without a statement, an invented ledger of mainnet is reported with the way back', async (t) => {
  const { tip, remember, settle } = await joined(t, 'mainnet');
  const advice = { message: /ops ledger settle --same/ };
  await remember({ index: tip.index + 1_000, hash, closeTime: 0 });
  await t.rejects(settle(), advice);
  await remember({ index: tip.index + 1_000, hash, closeTime: farFuture });
  await t.rejects(settle(), advice);
});

test('servers that lag confirm nothing', async (t) => {
  const { tip, remember, settle } = await joined(t, 'testnet');
  await remember({ index: tip.index + 1_000, hash, closeTime: farFuture });
  const later = () => new Date(Date.now() + 600_000);
  await t.rejects(settle({ same: true }, later), { message: /behind ledger/ });
});

test('servers that lag confirm nothing, although they report the time of now', async (t) => {
  const { tip, known, remember, settle, gateway } = await joined(t, 'testnet');
  const invented = { index: tip.index + 1_000, hash, closeTime: farFuture };
  await remember(invented);
  const later = () => new Date(Date.now() + 1_800_000);
  const reported = { ...tip, closeTime: tip.closeTime + 1_800 };
  const lagging = {
    ...gateway,
    current: () => ({ ...gateway.current(), tip: reported }) as LedgerStatus,
    shown: async () => tip,
  };
  await t.rejects(settle({ same: true }, later, lagging), { message: /behind ledger/ });
  t.strictSame((await known())?.tip, invented);
});

test('a reported time alone does not declare a ledger gone', async (t) => {
  const { tip, known, remember, settle, relay, gateway } = await joined(t, 'testnet');
  const seen = { index: tip.index + 3, hash, closeTime: tip.closeTime + 12 };
  await remember(seen);
  relay.announce(tip.index + 1, farFuture);
  await until('it is reported', async () => gateway.servers()[0]?.tip?.closeTime === farFuture);
  await t.rejects(settle(), { message: /behind ledger/ });
  t.strictSame((await known())?.tip, seen);
});

test('a server that shows another ledger beside the known one is named', async (t) => {
  const { settle, gateway } = await joined(t, 'testnet');
  const split = {
    ...gateway,
    ledgers: async (index: number) => {
      const [{ server, ledger } = { server: '', ledger: null }] = await gateway.ledgers(index);
      if (ledger === null) throw new Error(`ledger ${index} is not shown`);
      const other = { server: 'wss://other', ledger: { ...ledger, hash } };
      return [{ server, ledger }, other, { server: 'wss://short', ledger: null }];
    },
  };
  const [server] = gateway.servers();
  const message = new RegExp(
    `still shows \\S+ \\(${server?.name}\\) while .* ledger \\(wss://other\\): remove`,
  );
  await t.rejects(settle({}, undefined, split), { message });
});

test('a ledger that a server shows is not gone, whatever tip is reported', async (t) => {
  const { tip, settle, gateway } = await joined(t, 'testnet');
  const status = gateway.current();
  const lower = { index: tip.index - 1, hash, closeTime: farFuture };
  const lying = {
    ...gateway,
    current: () => ({ ...status, tip: lower }),
    shown: async () => lower,
  };
  await t.rejects(settle({}, undefined, lying), { message: /a server still shows/ });
});
