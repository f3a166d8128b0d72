import { Registry } from '@prometheus-io/client';
import { test } from 'tap';
import type { LedgerAccount, LedgerServer } from '../../src/ledger/contract.ts';
import { anchoringMetrics } from '../../src/telemetry/anchoring-metrics.ts';
import { ledgerMetrics } from '../../src/telemetry/ledger-metrics.ts';
import { readExposition, sampleValue } from '../support/exposition.ts';
import { connected, createScriptedGateway } from '../support/scripted-gateway.ts';

const known: LedgerAccount = {
  sequence: 1,
  balanceDrops: 5_000_000n,
  regularKey: null,
  masterKeyDisabled: false,
  ownedObjects: 2,
};

test('a ledger has its index and close time, an account its balance above the reserve', async (t) => {
  const registry = new Registry();
  const scripted = createScriptedGateway('testnet');
  const asked: string[] = [];
  const account = async (address: string) => {
    asked.push(address);
    if (address === 'rSilent') throw new Error('no server answers');
    return address === 'rFunded' ? known : null;
  };
  const addresses = ['rFunded', 'rUnfunded', 'rSilent'];
  t.teardown(ledgerMetrics(registry, [{ gateway: { ...scripted, account }, addresses }]));
  const scrape = async () => readExposition(await registry.metrics());
  const samples = await scrape();
  const network = 'testnet';
  t.equal(sampleValue(samples, 'proofmark_ledger_validated_index', { network }), 1_000);
  t.equal(sampleValue(samples, 'proofmark_ledger_close_time_seconds'), 817_000_000 + 946_684_800);
  t.equal(sampleValue(samples, 'proofmark_ledger_connected_servers'), 0);
  const balance = (name: string) => (of: string) =>
    sampleValue(samples, name, { network, account: of });
  t.strictSame(addresses.map(balance('proofmark_account_balance_drops')), [
    5_000_000,
    0,
    undefined,
  ]);
  t.strictSame(
    addresses.map(balance('proofmark_account_above_reserve_drops')),
    [3_600_000, -1_000_000, undefined],
    'less 1 XRP and 0.2 for each owned object',
  );
  await scrape();
  t.strictSame(asked, addresses, 'servers are not asked for every scrape');
});

test('the submissions that servers take are shown only if they are limited', async (t) => {
  const registry = new Registry();
  const scripted = createScriptedGateway('testnet');
  let perSecond = Number.POSITIVE_INFINITY;
  const gateway = {
    ...scripted,
    submissionsWithin: (ms: number) => (perSecond * ms) / 1_000,
    submissionsWaiting: () => 7,
  };
  t.teardown(ledgerMetrics(registry, [{ gateway, addresses: [] }]));
  const shown = async (name = 'per_minute') =>
    sampleValue(readExposition(await registry.metrics()), `proofmark_ledger_submissions_${name}`);
  t.equal(await shown(), undefined);
  perSecond = 40;
  t.equal(await shown(), 2_400);
  t.equal(await shown('waiting'), 7);
});

test('the ledger lag counts from its newest ledger, connected or not', async (t) => {
  const registry = new Registry();
  const gateway = createScriptedGateway('testnet');
  t.teardown(ledgerMetrics(registry, [{ gateway, addresses: [] }]));
  const lag = async () =>
    sampleValue(readExposition(await registry.metrics()), 'proofmark_ledger_lag_seconds') ?? -1;
  const first = await lag();
  gateway.status.next({ connected: false, reason: 'lost' });
  gateway.status.next({ ...connected, epoch: '2' });
  const same = await lag();
  t.ok(same > first, 'the same ledger again does not reset the lag');
  gateway.status.next({ ...connected, tip: { ...connected.tip, index: 1_001 } });
  t.ok((await lag()) < same);
});

test('a standalone ledger has its own name, also while it is away', async (t) => {
  const registry = new Registry();
  const gateway = createScriptedGateway('testnet');
  gateway.status.next({ connected: false, reason: 'starting' });
  t.teardown(ledgerMetrics(registry, [{ gateway, addresses: ['rA'] }]));
  const names = async () => {
    const samples = readExposition(await registry.metrics());
    return new Set(samples.flatMap(({ labels }) => labels.network ?? []));
  };
  t.strictSame(await names(), new Set(['testnet']), 'nothing is known yet');
  gateway.status.next({ ...connected, standalone: true });
  t.strictSame(await names(), new Set(['standalone']));
  gateway.status.next({ connected: false, reason: 'lost' });
  t.strictSame(await names(), new Set(['standalone']));
});

test('a server that an amendment will block has its expected time, until the warning ends', async (t) => {
  const registry = new Registry();
  const server = {
    name: 'ws://own:6006',
    state: 'ready',
    tip: null,
    reason: null,
    amendmentBlocked: false,
    unsupportedMajority: null,
  } as const;
  let servers: readonly LedgerServer[] = [server];
  const gateway = { ...createScriptedGateway('testnet'), servers: () => servers };
  t.teardown(ledgerMetrics(registry, [{ gateway, addresses: [] }]));
  const sample = async (name: string) =>
    sampleValue(readExposition(await registry.metrics()), `proofmark_ledger_server_${name}`, {
      network: 'testnet',
      server: server.name,
    });
  t.equal(await sample('block_expected_seconds'), undefined);
  servers = [{ ...server, unsupportedMajority: { expectedTime: 849_355_200 } }];
  t.equal(await sample('block_expected_seconds'), 1_796_040_000);
  servers = [{ ...server, unsupportedMajority: { expectedTime: null } }];
  t.equal(await sample('block_expected_seconds'), 0, 'the server does not state the time');
  t.equal(await sample('blocked'), undefined);
  servers = [{ ...server, state: 'lost', amendmentBlocked: true }];
  t.equal(await sample('block_expected_seconds'), undefined, 'the sample vanishes');
  t.equal(await sample('blocked'), 1);
  servers = [server];
  t.equal(await sample('blocked'), undefined);
});

test('the backlog has the age of its oldest proof, and the reason for paused anchoring', async (t) => {
  const registry = new Registry();
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  let paused: string | null = 'noFundedAccount';
  const summary = () => ({
    pending: 3,
    processing: 2,
    queued: 4,
    oldestRequestedAt: ago(120),
    oldestQueuedAt: null,
  });
  const replacements = () => 5;
  const delays = { queuedAtMaxFee: true, submissionLimit: false };
  const own = { paused: () => paused, delays: () => delays, summary, replacements };
  anchoringMetrics(registry, [{ networkName: () => 'testnet', ...own }]);
  const samples = readExposition(await registry.metrics());
  t.equal(sampleValue(samples, 'proofmark_anchoring_backlog', { state: 'pending' }), 3);
  t.equal(sampleValue(samples, 'proofmark_anchoring_backlog', { state: 'processing' }), 2);
  t.equal(sampleValue(samples, 'proofmark_anchoring_queued'), 4);
  t.ok((sampleValue(samples, 'proofmark_anchoring_oldest_seconds') ?? 0) >= 120);
  t.equal(sampleValue(samples, 'proofmark_anchoring_oldest_queued_seconds'), 0);
  t.equal(sampleValue(samples, 'proofmark_anchoring_paused', { reason: 'noFundedAccount' }), 1);
  t.equal(sampleValue(samples, 'proofmark_anchoring_replacements_total'), 5);
  const delayed = (reason: string, among = samples) =>
    sampleValue(among, 'proofmark_anchoring_delayed', { reason });
  t.equal(delayed('queuedAtMaxFee'), 1);
  t.equal(delayed('submissionLimit'), 0, 'a reason that is absent has a sample, too');
  paused = null;
  delays.queuedAtMaxFee = false;
  const later = readExposition(await registry.metrics());
  t.equal(
    sampleValue(later, 'proofmark_anchoring_paused', { reason: 'noFundedAccount' }),
    undefined,
  );
  t.equal(sampleValue(later, 'proofmark_anchoring_paused'), 0);
  t.equal(delayed('queuedAtMaxFee', later), 0);
});
