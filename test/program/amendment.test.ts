import { randomBytes } from 'node:crypto';
import { generateSeed } from 'ripple-keypairs';
import { test } from 'tap';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { readiness } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { createTestDatabase } from '../support/database.ts';
import { ops, opsJson } from '../support/operator.ts';
import { startProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

test('a server that lacks an amendment is reported before and after it is blocked', async (t) => {
  const ledger = await createStandaloneLedger({ closeMs: 250 });
  t.teardown(() => ledger.stop());
  const env = {
    DATABASE_URL: (await createTestDatabase(t)).url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    LOG_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: await newFolder(t),
    XRPL_TESTNET_URL: ledger.url,
    XRPL_TESTNET_ACCOUNTS: generateSeed({ algorithm: 'ed25519' }),
    XRPL_TESTNET_VALIDATOR_LISTS: 'none',
  };
  ledger.faults.lackAmendment({ status: 'blocked' });
  const program = await startProgram(t, { ...env, LOG_LEVEL: 'fatal' }, { unready: true });
  const server = async () => {
    const { networks } = await opsJson(t, env, 'ledger', 'status');
    return (networks as unknown as { servers: readonly unknown[] }[])[0]?.servers[0];
  };

  await t.test('a blocked server does not stop the program, and readiness counts it', async (t) => {
    const { status, body } = await readiness(program.address);
    t.equal(status, 503);
    const expected =
      'ledger testnet: not connected; amendment blocked until upgraded: 1 of 1 server';
    t.match(JSON.stringify(body), expected);
    t.notMatch(JSON.stringify(body), '127.0.0.1', 'readiness is public');
    t.match(await server(), {
      state: 'lost',
      amendmentBlocked: true,
      unsupportedMajority: null,
      reason: /upgrade its rippled/,
    });
  });

  await t.test('the time of the expected block is shown to the operator', async (t) => {
    ledger.faults.lackAmendment({ status: 'warned', expectedTime: 849_355_200 });
    t.match(await server(), {
      state: 'ready',
      amendmentBlocked: false,
      unsupportedMajority: { expectedAt: '2026-11-30T12:00:00.000Z' },
    });
    const { stdout } = await ops(t, env, 'ledger', 'status');
    t.match(stdout, /block it at 2026-11-30T12:00:00.000Z; upgrade its rippled/);
    ledger.faults.lackAmendment({ status: 'warned', expectedTime: null });
    t.match(await server(), { unsupportedMajority: { expectedAt: null } });
    t.match((await ops(t, env, 'ledger', 'status')).stdout, /block it at an unknown time/);
  });

  await until(
    'the program is still alive',
    async () => (await fetch(`${program.address}/healthz`)).ok,
  );
});
