import { test } from 'tap';
import { openAnchorReader } from '../../../ops/following/anchor-reader.ts';
import { LookLimit } from '../../../ops/following/look-limit.ts';
import { checkpointMemo } from '../../../src/domain/log/checkpoint-memo.ts';
import type { HistoryPage, LedgerGateway, SentTransaction } from '../../../src/ledger/contract.ts';

const origin = 'proofmark/01M7XT7TX5VQ3R4S5T6V7W8X9Y';
const account = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const servers = ['wss://ledger.example'];

function sent(size: number, ledgerIndex: number): SentTransaction {
  return {
    ...{ hash: `${size}`, blob: 'A'.repeat(600), ledgerIndex, engineResult: 'tesSUCCESS' },
    ...{ sequence: size, feeDrops: 10, lastLedgerSequence: ledgerIndex + 20 },
    memos: [checkpointMemo({ origin, size, rootHash: 'ab'.repeat(32) })],
  };
}

/** A server with a history that may be changed. */
function server(first: number) {
  const history: SentTransaction[] = [];
  const down: readonly string[] = [];
  const state = { searchedFrom: first, tip: first, read: 0, down };
  const gateway: Pick<LedgerGateway, 'sent' | 'name' | 'current'> = {
    name: () => 'testnet',
    current: () =>
      ({
        ...{ connected: true, epoch: '1', standalone: false, openLedgerFeeDrops: 10 },
        ...{ baseFeeDrops: 10, queueFeeDrops: 10, expectedLedgerSize: 10, reserveDrops: 1 },
        tip: { index: state.tip, hash: '', closeTime: 0 },
      }) as unknown as ReturnType<LedgerGateway['current']>,
    async sent(_address, _from, since = 0) {
      const isWhole = since < state.searchedFrom || since > state.tip;
      const from = isWhole ? state.searchedFrom : since;
      const found = history.filter(({ ledgerIndex }) => ledgerIndex >= from).toReversed();
      state.read += found.length;
      return { transactions: found, searchedFrom: from, next: null };
    },
  };
  const reader = (urls = servers) =>
    openAnchorReader({
      // The code under test uses only these functions of a gateway.
      asked: {
        networks: async () => ({ gateways: [gateway as LedgerGateway], unreached: state.down }),
      },
      ...{ servers: urls, accounts: [account] },
    });
  let cursors = {};
  let unreached: readonly string[] = [];
  const read = async (urls?: readonly string[]) => {
    state.read = 0;
    const found = await reader(urls && [...urls])(
      cursors,
      new LookLimit({ ms: 10_000, bytes: 1e9 }),
    );
    cursors = found.cursors;
    unreached = found.unreached;
    return { sizes: found.anchors.map(({ size }) => size), read: state.read };
  };
  return { history, state, read, unreached: () => unreached };
}

test('a look reads only what is new, and what may have come late', async (t) => {
  const { history, state, read } = server(1_000);
  t.strictSame(await read(), { sizes: [], read: 0 });
  for (let n = 0; n < 50; n += 1) history.push(sent(n, 1_000 + n * 900));
  state.tip = 46_000;
  t.equal((await read()).read, 50);
  t.strictSame(await read(), { sizes: [49], read: 1 }, 'the newest one alone');
  history.push(sent(50, 46_010));
  // Another server may have had it before.
  history.splice(50, 0, sent(51, 45_900));
  state.tip = 46_020;
  t.strictSame(await read(), { sizes: [50, 51, 49], read: 3 });
  t.strictSame(await read(), { sizes: [50, 51], read: 2 });
});

test('the whole history is read when there is doubt', async (t) => {
  const { history, state, read } = server(1_000);
  for (let n = 0; n < 10; n += 1) history.push(sent(n, 1_000 + n * 900));
  state.tip = 20_000;
  await read();
  t.equal((await read()).read, 1);
  t.equal((await read(['wss://other.example'])).read, 10, 'another server');
  await read();
  const last = history.pop();
  t.equal((await read()).read, 9, 'the known transaction is not found');
  t.equal((await read()).read, 1);
  // A test network was reset.
  history.length = 0;
  history.push(sent(100, 30));
  Object.assign(state, { searchedFrom: 1, tip: 50 });
  t.strictSame((await read()).sizes, [100]);
  t.strictSame((await read()).sizes, [100]);
  t.ok(last);
});

test('ledgers that no server has yet are read as soon as a server has them', async (t) => {
  const { history, state, read } = server(1_000);
  history.push(sent(1, 1_100));
  state.tip = 1_200;
  await read();
  history.push(sent(2, 5_000), sent(3, 9_000));
  Object.assign(state, { tip: 9_500, searchedFrom: 8_000 });
  t.strictSame((await read()).sizes, [3]);
  Object.assign(state, { searchedFrom: 1_000 });
  t.strictSame((await read()).sizes, [3, 2, 1]);
  t.strictSame((await read()).sizes, [3]);
});

test('servers that cannot be used are named, and the others are read', async (t) => {
  const { history, state, read, unreached } = server(1_000);
  history.push(sent(1, 1_100));
  state.down = ['wss://main.example (closed)'];
  t.strictSame((await read()).sizes, [1]);
  t.strictSame(unreached(), ['wss://main.example (closed)']);
});

/** A reader whose server sends one page after another, for ever. */
function endless(page: () => Promise<Omit<HistoryPage, 'searchedFrom' | 'next'>>) {
  const pages = { count: 0 };
  const gateway: Pick<LedgerGateway, 'sent' | 'name' | 'current'> = {
    name: () => 'testnet',
    current: () => ({ connected: false, reason: '' }),
    async sent() {
      pages.count += 1;
      return { ...(await page()), searchedFrom: 1, next: {} };
    },
  };
  const asked = {
    networks: async () => ({ gateways: [gateway as LedgerGateway], unreached: [] }),
  };
  return { pages, read: openAnchorReader({ asked, servers, accounts: [account] }) };
}

test('pages without end, with transactions or without, end a look', async (t) => {
  const large = Array.from({ length: 200 }, (_, n) => sent(n, n));
  const full = endless(async () => ({ transactions: large }));
  await t.rejects(full.read({}, new LookLimit({ ms: 60_000, bytes: 1_000_000 })), {
    message: /more than 1 MB in one look \(--look-megabytes\)/,
  });
  t.equal(full.pages.count, 4, 'of 320 kB each');
  const empty = endless(async () => ({ transactions: [] }));
  await t.rejects(empty.read({}, new LookLimit({ ms: 60_000, bytes: 10_000_000 })), {
    message: /longer than 1000 pages/,
  });
});

test('a server that answers slowly, or never, ends a look', async (t) => {
  const limit = () => new LookLimit({ ms: 30, bytes: 1e9 });
  const message = /reading took longer than 0.03 s in one look \(--look-seconds\)/;
  // As the socket to a server does.
  const held = setInterval(() => {}, 1_000);
  t.teardown(() => clearInterval(held));
  const silent = endless(() => new Promise(() => {}));
  await t.rejects(silent.read({}, limit()), { message });
  const slow = endless(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { transactions: [] };
  });
  await t.rejects(slow.read({}, limit()), { message });
});
