import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'tap';
import { fundAccounts } from '../../src/embedded/fund-accounts.ts';
import { openLogStorage } from '../../src/transparency-log/published/open-log-storage.ts';
import {
  dataOf,
  getProof,
  hashOf,
  postProof,
  prove,
  queueProof,
  readiness,
  verify,
} from '../support/api-client.ts';
import { startHostedOnProcess, startLedger } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops, opsJson } from '../support/operator.ts';
import { ready, startProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

const closeMs = 250;

test('ledger settle after a reset of a test network while a service runs', async (t) => {
  const { env, ledger, accounts } = await startHostedOnProcess(t, { closeMs });
  const organisation = await openOrganisation(env);
  const start = () => startProgram(t, { ...env, LOG_LEVEL: 'fatal', PROOF_WAIT_MS: '3000' });
  let program = await start();
  let caller = { address: program.address, ...organisation };
  const settle = (...args: string[]) => ops(t, env, 'ledger', 'settle', ...args);
  const notReady = async () => JSON.stringify((await readiness(program.address)).body);
  const before = await prove(caller, hashOf('before'));

  await t.test('there is nothing to settle while the servers show the known ledger', async (t) => {
    const { code, stderr } = await settle();
    t.equal(code, 1);
    t.match(stderr, /nothing to settle/);
  });

  await t.test('nothing is settled while a server is down', async (t) => {
    const spare = await startLedger(t, { closeMs });
    spare.current().kill('SIGKILL');
    await spare.current().ended;
    const both = { ...env, XRPL_TESTNET_URL: `${ledger.url},${spare.url}` };
    const { code, stderr } = await ops(t, both, 'ledger', 'settle');
    t.equal(code, 1);
    t.match(stderr, /not every configured server of testnet answers/);
  });

  await t.test('a queued proof waits for the operator, and goes to the new ledger', async (t) => {
    await ledger.reset();
    await until('the service reports another ledger', async () =>
      (await notReady()).includes('a different ledger'),
    );
    t.match(await postProof(caller, hashOf('unqueued')), { body: { code: 'XRPL_ERROR' } });
    const queued = dataOf(await queueProof(caller, hashOf('queued')));
    await fundAccounts({ url: ledger.url, addresses: accounts, xrp: 1_000 });
    t.match(await opsJson(t, env, 'ledger', 'settle'), {
      settled: [{ ledgerId: /^1-/, outcome: 'gone' }],
    });
    await until('the proof is anchored', async () => {
      const { body } = await getProof(caller, queued.proofId);
      return body.data?.blockchainStatus === 'completed';
    });
    const proof = await getProof(caller, queued.proofId);
    t.match(await verify(program.address, dataOf(proof).txHash), {
      body: { data: { verified: true } },
    });
    const old = await verify(program.address, before.txHash);
    t.match(old, { body: { data: { verified: false, reason: /was reset/ } } });
  });

  await t.test('a queued proof can be given up, and its hash posted again', async (t) => {
    const settles = await prove(caller, hashOf('settles by itself'));
    const refused = await settle('--give-up', settles.proofId);
    t.equal(refused.code, 1);
    t.match(refused.stderr, /only a queued proof that is pending/);
    ledger.current().kill('SIGKILL');
    await until(
      'the service has noticed the outage',
      async () => (await readiness(program.address)).status === 503,
    );
    const given = dataOf(await queueProof(caller, hashOf('given up')));
    t.match(await settle('--give-up', given.proofId), {
      code: 1,
      stderr: /is not given up, since the servers of testnet cannot show .*: wait until a server/,
    });
    // Or the service would anchor the proof as soon as the ledger is back.
    program.kill('SIGKILL');
    await program.ended;
    await ledger.restart();
    t.match(await opsJson(t, env, 'ledger', 'settle', '--give-up', given.proofId), {
      givenUp: given.proofId,
    });
    program = await start();
    caller = { address: program.address, ...organisation };
    await ready(program.address);
    t.equal((await getProof(caller, given.proofId)).status, 404);
    const again = async () => (await postProof(caller, hashOf('given up'))).status < 300;
    t.ok(await until('the hash is proven', again));
  });

  await t.test('a restored log can be resumed after its reset ledger is settled', async (t) => {
    const note = await (await fetch(`${program.address}/log/checkpoint`)).text();
    program.kill('SIGKILL');
    await program.ended;
    await ledger.reset();
    const log = await openLogStorage(pathToFileURL(join(env.DATA_DIR ?? '', 'files')).href);
    const [origin = ''] = note.split('\n');
    const lost = { position: 1_000_000, leaf: 'ab'.repeat(32), lastLedger: 1 };
    await log.writeSubmitted('other', { origin, network: 'testnet', ...lost });
    const restored = () => ops(t, env, 'log', 'restored', '--yes');
    t.match(await restored(), { code: 1, stderr: /ops ledger settle/ });
    t.match(await settle('--give-up', before.proofId), { code: 1, stderr: /`ops log restored`/ });
    t.match(await settle(), { code: 0, stdout: /is gone/ });
    const { code, stderr } = await restored();
    t.equal(code, 0, stderr);
    t.match(stderr, /the lost log reached at least event 1000000/);
    t.match(await settle(), { code: 1, stderr: /nothing to settle/ });
    const unpublished = await ops(t, env, 'log', 'checkpoint', '--timeout', '1');
    t.match(unpublished, {
      code: 1,
      stdout: '',
      stderr: /no checkpoint of all \d+ events was published within 1 s/,
    });
  });
});
