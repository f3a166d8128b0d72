import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { query } from '../embedded/run-service.ts';
import { hashOf, prove } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { jsonOf, ops, opsJson } from '../support/operator.ts';
import { startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';
import { verifyByXls41 } from '../support/xls-41.ts';

test('ledgers with proofs of an earlier release are linked to attested ones', async (t) => {
  const { env: unlisted, databaseUrl, ledger } = await startHosted(t, { closeMs: 250 });
  const { url, publisherKey } = ledger.validatorList;
  const env = { ...unlisted, XRPL_TESTNET_VALIDATOR_LISTS: `${url}=${publisherKey}` };
  const organisation = await openOrganisation(env);
  const count = async (what: string) => {
    const [row] = await query(databaseUrl, `SELECT count(*) AS n FROM events WHERE ${what}`);
    return Number(row?.n);
  };
  const proofOf = (address: string, name: string) =>
    prove({ address, ...organisation }, hashOf(name));
  const earlier = await startProgram(t, { ...unlisted, LOG_LEVEL: 'fatal' });
  const old = [await proofOf(earlier.address, 'one'), await proofOf(earlier.address, 'two')];
  await stop(earlier);
  t.match(await opsJson(t, env, 'ledger', 'complete'), { chains: [{ completed: [] }] });

  const program = await startProgram(t, { ...env, LOG_LEVEL: 'fatal' });
  await until('the list is on record', () => count(`type = 'ValidatorListPublished'`));
  const xpopOf = ({ proofId }: { readonly proofId: string }) =>
    fetch(`${program.address}/api/v1/proofs/${proofId}/xpop`, {
      headers: { authorization: `Bearer ${organisation.key}` },
    });
  const proof = await proofOf(program.address, 'three');
  const xpop = await until('the proof is attested', async () => {
    const answer = await xpopOf(proof);
    return answer.status === 200 ? answer.text() : null;
  });
  t.equal(verifyByXls41(xpop, publisherKey), proof.txHash);

  const unattested = `type IN ('Anchored', 'CheckpointAnchored') AND NOT EXISTS (
    SELECT FROM events AS one WHERE one.stream =
      'attestation-' || (events.data::json->>'ledgerId') || '-' || (events.data::json->>'ledgerIndex'))`;
  t.ok((await count(unattested)) >= 2);
  const outputs: string[] = [];
  const complete = async () => {
    const done = await ops(t, env, 'ledger', 'complete');
    t.equal(done.code, 0, done.stdout + done.stderr);
    outputs.push(done.stdout + done.stderr);
    return done.stdout;
  };
  await until('every ledger is attested', async () => {
    await complete();
    return (await count(unattested)) === 0;
  });
  t.match(outputs.join(''), /1-[0-9A-F]{64}: .* linked to attested ones\n/);
  t.match(outputs.join(''), /asking for headers/);
  t.match(await complete(), /^nothing to complete: every older ledger /);
  for (const one of old) t.match(await (await xpopOf(one)).json(), { code: 'XPOP_NOT_POSSIBLE' });

  const file = join(await newFolder(t), 'xpop.json');
  await writeFile(file, xpop);
  const key = ['--validator-list-key', publisherKey];
  const verdict = jsonOf(t, await ops(t, {}, 'verify', '--xpop', file, ...key, '--json'));
  t.match(verdict, { proven: true, finding: { transactionHash: proof.txHash } });
  await stop(program);
  const audit = JSON.parse((await ops(t, env, 'audit', 'verify', '--json')).stdout);
  t.strictSame(audit.faults, []);
});

test('a chain that is longer than the audit accepts is refused', async (t) => {
  const { code, stderr } = await ops(t, {}, 'ledger', 'complete', '--most', '65537');
  t.not(code, 0);
  t.match(stderr, /--most .*It must be 65536 at most: ops audit verify refuses longer chains/);
});
