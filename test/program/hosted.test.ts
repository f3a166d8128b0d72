import { type Test, test } from 'tap';
import { readLedgerProofs } from '../../ops/crash/ledger-history.ts';
import { issueKey } from '../../src/commands/issue-key.ts';
import { resumeOrganisation } from '../../src/commands/resume-organisation.ts';
import { revokeKey } from '../../src/commands/revoke-key.ts';
import { suspendOrganisation } from '../../src/commands/suspend-organisation.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { dataOf, hashOf, postProof, recipe, verify } from '../support/api-client.ts';
import { openTestStore, testDeps } from '../support/event-store.ts';
import { operator } from '../support/http-service.ts';
import { startHosted } from '../support/ledger-process.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

test('the program works on an external database and ledger', async (t) => {
  const { env, ledger, accounts } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(env);
  const program = await startProgram(t, env);
  const caller = { address: program.address, ...organisation };
  const copies = await Promise.all([1, 2, 3].map(() => postProof(caller, hashOf('copied'))));
  t.strictSame(copies.map(({ status }) => status).sort(), [200, 200, 201]);
  const [created] = copies.filter(({ status }) => status === 201).map(dataOf);
  t.ok(created);
  if (created === undefined) return;
  const { data } = (await verify(program.address, created.txHash)).body;
  t.match(data, { verified: true, network: 'standalone' });
  t.equal(data?.memo.fileHash, recipe(hashOf('copied'), created));
  const { stdout, ...ended } = await stop(program);
  t.match(ended, { code: 0, stderr: '' });
  t.equal(
    stdout,
    `Proofmark listens on ${program.address}\n`,
    'no organisation is created by itself',
  );

  const restarted = await startProgram(t, env);
  const again = await postProof({ ...caller, address: restarted.address }, hashOf('copied'));
  t.match(again, { status: 200, body: { alreadyProven: true, data: { txHash: created.txHash } } });
  t.match(await stop(restarted), { code: 0, stderr: '' });
  const anchored = await readLedgerProofs(ledger.url, accounts);
  t.strictSame(
    anchored.map(({ txHash }) => txHash),
    [created.txHash],
  );
});

test('two programs on one database share the work and anchor no hash twice', async (t) => {
  const hosted = await startHosted(t, { closeMs: 250 });
  const { env, ledger, accounts } = hosted;
  const organisation = await openOrganisation(env);
  const programs = await Promise.all([startProgram(t, env), startProgram(t, env)]);
  await expectSameKeys(t, hosted, organisation.organisationId as OrganisationId, programs);
  const hashes = Array.from({ length: 20 }, (_, index) => hashOf(`shared ${index}`));
  const answers = await Promise.all(
    hashes.flatMap((hash) =>
      programs.map(({ address }) => postProof({ address, ...organisation }, hash)),
    ),
  );
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200, 201]));
  t.equal(answers.filter(({ status }) => status === 201).length, 20);
  t.equal((await readLedgerProofs(ledger.url, accounts)).length, 20);

  const [one, other] = programs;
  one.kill('SIGKILL');
  await one.ended;
  const survivor = { address: other.address, ...organisation };
  t.match(
    await postProof(survivor, hashOf('after')),
    { status: 201 },
    'the other program takes over',
  );
  t.match(await stop(other), { code: 0 });
});

test('a ledger server that comes back on another network is not used, and the others are', async (t) => {
  const { env, ledger } = await startHosted(t, { closeMs: 250 });
  const second = await createStandaloneLedger();
  const url = `${second.url},${ledger.url}`;
  // Stop it first: a ledger of the same network but another chain would be refused.
  await second.stop();
  const organisation = await openOrganisation(env);
  const program = await startProgram(t, { ...env, XRPL_TESTNET_URL: url, LOG_LEVEL: 'error' });
  const foreign = await createStandaloneLedger({ port: second.port, networkId: 0 });
  t.teardown(() => foreign.stop());
  await program.said(/serves network_id 0, but the configured network is 1/, 'stderr');
  const caller = { address: program.address, ...organisation };
  t.match(await postProof(caller, hashOf('on the right one')), { status: 201 });
  t.equal((await stop(program)).code, 0);
});

const withinMs = 5_000;

/** A change of a key applies on every process, and processes share its limits. */
async function expectSameKeys(
  t: Test,
  { env, databaseUrl }: Awaited<ReturnType<typeof startHosted>>,
  organisationId: OrganisationId,
  programs: readonly { readonly address: string }[],
): Promise<void> {
  const { store } = openTestStore(t, databaseUrl, {
    masterKey: Buffer.from(env.MASTER_KEY ?? '', 'base64'),
  });
  const order = { organisationId, name: null, agent: false, expiresAt: null, issuedBy: null };
  const limits = { requestsPerMinute: 1, requestsPerDay: null };
  const scopes = ['workspaces:read'];
  const issue = () => issueKey({ ...testDeps, store }, { ...order, ...limits, scopes }, operator);
  const statuses = (key: string) =>
    Promise.all(
      programs.map(async ({ address }) => {
        const headers = { authorization: `Bearer ${key}` };
        return (await fetch(`${address}/api/v1/workspaces`, { headers })).status;
      }),
    );
  const [spent, suspended] = await Promise.all([issue(), issue()]);
  t.strictSame(
    (await statuses(spent.key)).toSorted(),
    [200, 429],
    'one call a minute on both programs together',
  );
  const reach = async (what: string, status: number, key: string) => {
    const began = performance.now();
    await until(what, async () => (await statuses(key)).every((each) => each === status));
    const ms = Math.round(performance.now() - began);
    t.comment(`${what} ${ms} ms after the order in another process`);
    t.ok(ms < (await onThisMachine(withinMs)), what);
  };
  await revokeKey(store, spent.keyId, null, operator);
  await reach('every process refuses the revoked key', 401, spent.key);
  await suspendOrganisation(store, organisationId, operator);
  await reach('every process refuses the suspended organisation', 403, suspended.key);
  await resumeOrganisation(store, organisationId, operator);
  await until(
    'calls are accepted again',
    async () => !(await statuses(suspended.key)).includes(403),
  );
}
