import { test } from 'tap';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { hashOf, prove, readiness, verify } from '../support/api-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops, opsJson } from '../support/operator.ts';
import { startProgram } from '../support/program.ts';
import { until } from '../support/until.ts';

interface Status {
  readonly networks: readonly {
    readonly network: string;
    readonly ledgerId: string | null;
    readonly servers: readonly Record<string, unknown>[];
    readonly accounts: readonly Record<string, unknown>[];
    readonly backlog: Record<string, unknown>;
  }[];
}

test('ledger status shows a running service, and ledger retire ends an account', async (t) => {
  const { env, ledger, accounts } = await startHosted(t, { closeMs: 250 });
  const [account = ''] = accounts;
  const spare = await createStandaloneLedger();
  await spare.stop();
  const both = { ...env, XRPL_TESTNET_URL: `${ledger.url},${spare.url}` };
  const organisation = await openOrganisation(both);
  const program = await startProgram(t, { ...both, LOG_LEVEL: 'fatal' });
  const caller = { address: program.address, ...organisation };
  const proven = await prove(caller, hashOf('before'));
  const status = async () =>
    ((await opsJson(t, both, 'ledger', 'status')) as unknown as Status).networks[0];

  await t.test('status names servers, accounts and backlog', async (t) => {
    t.match(await status(), {
      network: 'standalone',
      ledgerId: /^1-[0-9A-F]{64}$/,
      servers: [
        { server: ledger.url, state: 'ready', reason: null },
        { server: spare.url, state: 'lost', ledgerIndex: null },
      ],
      accounts: [{ address: account, state: 'signing', nextSequence: Number, outstanding: 0 }],
      backlog: { pending: 0, processing: 0, queued: 0 },
    });
    const { stdout } = await ops(t, both, 'ledger', 'status');
    t.match(stdout, new RegExp(`${account} +proofs +signing +\\d+ +\\d+ +0\n`));
    t.match(stdout, /backlog: 0 pending, 0 processing/);
  });

  await t.test('an unknown account cannot be retired', async (t) => {
    const unknown = 'rJg562WLMAt8qMzbNU9bs7eKXWMo39aA6D';
    const outcome = await ops(t, both, 'ledger', 'retire', unknown);
    t.equal(outcome.code, 1);
    t.match(outcome.stderr, /not configured, and no proof was ever anchored from it/);
  });

  await t.test('a retired account signs nothing more, and its proofs still verify', async (t) => {
    t.match(await opsJson(t, both, 'ledger', 'retire', account), { account, isNew: true });
    t.match(await opsJson(t, both, 'ledger', 'retire', account), { account, isNew: false });
    const isRetired = async () => {
      const body = JSON.stringify((await readiness(program.address)).body);
      return body.includes('every configured anchoring account is retired');
    };
    await until('the service reports the retired account', isRetired);
    t.match((await status())?.accounts, [{ address: account, state: 'retired' }]);
    const { txHash } = proven;
    t.match(await verify(program.address, txHash), { body: { data: { verified: true } } });
  });
});
