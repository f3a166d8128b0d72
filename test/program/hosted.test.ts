import { test } from 'tap';
import { readLedgerProofs } from '../../ops/crash/ledger-history.ts';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import { dataOf, hashOf, postProof, recipe, verify } from '../support/api-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/operator.ts';
import { startProgram, stop } from '../support/program.ts';

test('it works the same on a database and a ledger that are servers of their own', async (t) => {
  const { env, ledger, accounts } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(t, env);
  const program = await startProgram(t, env);
  const caller = { address: program.address, ...organisation };
  const copies = await Promise.all([1, 2, 3].map(() => postProof(caller, hashOf('copied'))));
  t.strictSame(copies.map(({ status }) => status).sort(), [200, 200, 201]);
  const [created] = copies.filter(({ status }) => status === 201).map(dataOf);
  t.ok(created);
  if (created === undefined) return;
  const { data } = (await verify(program.address, created.txHash)).body;
  t.match(data, { verified: true, network: 'testnet' });
  t.equal(data?.memo.fileHash, recipe(hashOf('copied'), created));
  const { stdout, ...ended } = await stop(program);
  t.match(ended, { code: 0, stderr: '' });
  t.equal(
    stdout,
    `Proofmark listens on ${program.address}\n`,
    'it makes no organisation by itself',
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

test('two programs on one database and ledger share the work, and anchor nothing twice', async (t) => {
  const { env, ledger, accounts } = await startHosted(t, { closeMs: 250 });
  const organisation = await openOrganisation(t, env);
  const programs = await Promise.all([startProgram(t, env), startProgram(t, env)]);
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
  t.match(await postProof(survivor, hashOf('after')), { status: 201 }, 'the other one takes over');
  t.match(await stop(other), { code: 0 });
});

test('a server that becomes one of another network is left alone, and the others go on', async (t) => {
  const { env, ledger } = await startHosted(t, { closeMs: 250 });
  const second = await createStandaloneLedger();
  const url = `${second.url},${ledger.url}`;
  // Of our network, but another chain than the first one's would be refused: it leaves at once.
  await second.stop();
  const organisation = await openOrganisation(t, env);
  const program = await startProgram(t, { ...env, XRPL_TESTNET_URL: url, LOG_LEVEL: 'error' });
  const foreign = await createStandaloneLedger({ port: second.port, networkId: 0 });
  t.teardown(() => foreign.stop());
  await program.said(/serves network_id 0, the configured network is 1/, 'stderr');
  const caller = { address: program.address, ...organisation };
  t.match(await postProof(caller, hashOf('on the right one')), { status: 201 });
  t.equal((await stop(program)).code, 0);
});
