import { join } from 'node:path';
import { filter, firstValueFrom, timeout } from 'rxjs';
import { test } from 'tap';
import { superviseServer } from '../../src/ledger/server-connection.ts';
import { projectRoot, run } from '../support/run.ts';
import { scriptedResults, startScriptedServer } from '../support/scripted-server.ts';
import { startSilentServer } from '../support/silent-server.ts';

const patienceMs = 60_000;

test('a server that answers everything but submissions is connected to anew', async (t) => {
  const url = await startScriptedServer(t, scriptedResults);
  const troubles: string[] = [];
  const server = superviseServer({
    ...{ url, networkId: 1, requestTimeoutMs: 1_000 },
    onTrouble: (_name, reason) => troubles.push(reason),
  });
  t.teardown(() => server.close());
  const connected = (connection: number) =>
    firstValueFrom(
      server.status.pipe(
        filter((status) => status.state === 'ready' && status.connection === connection),
        timeout(patienceMs),
      ),
    );
  await connected(1);
  await t.rejects(server.submit({ tx_blob: '' }), { name: 'Unanswered' });
  t.equal(server.current().state, 'ready', 'one answer may be lost');
  const withdrawn = server.submit({ tx_blob: '' }, () => false);
  await t.rejects(withdrawn, { name: 'Withdrawn' }, 'one that is not sent is no answer');
  await t.rejects(server.submit({ tx_blob: '' }), { name: 'Unanswered' });
  await connected(2);
  t.strictSame(troubles, ['submissions are not answered']);
});

test('unanswered reads of an earlier connection do not count', async (t) => {
  const url = await startScriptedServer(t, scriptedResults);
  const options = { url, networkId: 1, requestTimeoutMs: 500, asideMs: 100 };
  const server = superviseServer(options);
  t.teardown(() => server.close());
  const isReady = filter(({ state }: { readonly state: string }) => state === 'ready');
  const connected = () => firstValueFrom(server.status.pipe(isReady, timeout(patienceMs)));
  await connected();
  for (let count = 0; count < 2; count += 1) {
    await t.rejects(server.request('ledger'), { name: 'Unanswered' });
  }
  t.equal(server.isSilent('ledger'), true);
  server.setAside('it leaves requests unanswered');
  await connected();
  t.equal(server.isSilent('ledger'), false);
});

test('a Clio server without build_version works as well as rippled', async (t) => {
  // Answer of a public server in March 2026.
  const info = {
    complete_ledgers: '32570-102609807',
    load_factor: 1,
    clio_version: '2.7.0',
    libxrpl_version: '3.0.0',
    rippled_version: '3.1.0',
    validated_ledger: { age: 5, seq: 102_609_807, base_fee_xrp: 0.00001 },
    network_id: 0,
  };
  const tip = { ledger_index: 102_609_807, ledger_hash: 'AB'.repeat(32), ledger_time: 825_000_000 };
  const fee = { expected_ledger_size: '200' };
  const url = await startScriptedServer(t, { server_info: { info }, fee, subscribe: tip });
  const server = superviseServer({ url, networkId: 0 });
  t.teardown(() => server.close());
  const known = filter(({ state }: { readonly state: string }) => state !== 'connecting');
  const status = await firstValueFrom(server.status.pipe(known, timeout(patienceMs)));
  t.match(status, { state: 'ready', networkId: 0, standalone: false, baseFeeDrops: 10 });
});

const { server_info, fee } = scriptedResults;
const infoWith = (validated_ledger: object) => ({
  server_info: { info: { ...server_info.info, ...validated_ledger } },
});
for (const [what, results] of [
  ['no expected_ledger_size', { fee: {} }],
  ['a minimum_fee that is no number', { fee: { ...fee, drops: { minimum_fee: 'much' } } }],
  ['a load_factor that is no number', infoWith({ load_factor: 'x' })],
  ['no open-ledger fee', infoWith({ load_factor: null })],
  ['a base fee of 0', infoWith({ validated_ledger: { base_fee_xrp: 0 } })],
  ['a negative base fee', infoWith({ validated_ledger: { base_fee_xrp: -1 } })],
] as const) {
  test(`a server that states ${what} is not used`, async (t) => {
    const url = await startScriptedServer(t, { ...scriptedResults, ...results });
    const server = superviseServer({ url, networkId: 1 });
    t.teardown(() => server.close());
    const known = filter(({ state }: { readonly state: string }) => state !== 'connecting');
    const status = await firstValueFrom(server.status.pipe(known, timeout(patienceMs)));
    t.match(status, { state: 'lost', reason: /does not state its fees/ });
  });
}

for (const [warnings, majority] of [
  [[{ id: 1001, details: { expected_date: 'soon' } }], { expectedTime: null }],
  [[{ id: 1001, details: { expected_date: 1e300 } }], { expectedTime: null }],
  [[null, { id: 1001, details: null }], { expectedTime: null }],
  [[{ id: 1001, details: { expected_date: 849_355_200 } }], { expectedTime: 849_355_200 }],
  [{}, null],
] as const) {
  test(`a server with the warnings ${JSON.stringify(warnings)} is used`, async (t) => {
    const url = await startScriptedServer(t, { ...scriptedResults, ...infoWith({ warnings }) });
    const server = superviseServer({ url, networkId: 1 });
    t.teardown(() => server.close());
    const known = filter(({ state }: { readonly state: string }) => state !== 'connecting');
    const status = await firstValueFrom(server.status.pipe(known, timeout(patienceMs)));
    t.match(status, { state: 'ready', unsupportedMajority: majority });
  });
}

test('closing the connection to a silent server leaves nothing that keeps the process alive', async (t) => {
  const { url } = await startSilentServer(t);
  const program = `
    const { superviseServer } = await import('${join(projectRoot, 'src/ledger/server-connection.ts')}');
    const server = superviseServer({ url: '${url}', networkId: 0, requestTimeoutMs: 50 });
    while (server.current().state === 'connecting') await new Promise(setImmediate);
    await server.close();`;
  const { ended } = run(t, [process.execPath, '--input-type=module', '-e', program]);
  t.match(await ended, { code: 0, stderr: '' });
});
