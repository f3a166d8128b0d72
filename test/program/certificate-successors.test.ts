import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Test, test } from 'tap';
import { query } from '../embedded/run-service.ts';
import { type Caller, dataOf, getProof, hashOf, prove } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { fetchCertificate } from '../support/certificate-client.ts';
import { sha256 } from '../support/forms.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { opsIn } from '../support/operator.ts';
import { startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Programs on one database, one ledger and one storage; those `listening` hear validators. */
async function createSite(t: Test) {
  const { env: hosted, databaseUrl, ledger } = await startHosted(t, { closeMs: 250 });
  const { url, publisherKey } = ledger.validatorList;
  const folder = await newFolder(t);
  const env = { ...hosted, STORAGE_URL: pathToFileURL(join(folder, 'files')).href };
  const organisation = await openOrganisation(env);
  let started = 0;
  const start = async (listening: 'listening' | 'deaf') => {
    started += 1;
    const DATA_DIR = join(folder, `data-${started}`);
    await mkdir(DATA_DIR);
    const lists = { XRPL_TESTNET_VALIDATOR_LISTS: `${url}=${publisherKey}` };
    const program = await startProgram(t, {
      ...{ ...env, DATA_DIR, LOG_LEVEL: 'fatal' },
      ...(listening === 'listening' && lists),
    });
    const caller: Caller = { address: program.address, ...organisation };
    return { ...program, caller };
  };
  const count = async (what: string) => {
    const [row] = await query(databaseUrl, `SELECT count(*) AS n FROM events WHERE ${what}`);
    return Number(row?.n);
  };
  return { folder, publisherKey, start, count };
}

const proofIdOf = async (caller: Caller, name: string) =>
  (await prove(caller, hashOf(name))).proofId;

test('certificates that lack signatures get one successor each, although services are killed', async (t) => {
  const { folder, publisherKey, start, count } = await createSite(t);
  const first = await start('listening');
  const attested = await proofIdOf(first.caller, 'attested');
  const at = await fetchCertificate(first.caller, attested);
  t.equal(at.status, 200);
  t.equal(await count(`type = 'CertificateIssued'`), 1);
  const complete = `type = 'CertificateIssued' AND data::json->>'attestation' IS NOT NULL`;
  t.equal(await count(complete), 1, 'issued with signatures at once');
  await stop(first);

  const deaf = await Promise.all([start('deaf'), start('deaf')]);
  const [one, other] = deaf;
  const names = ['a', 'b', 'c'];
  const proofIds = await Promise.all(names.map((name) => proofIdOf(one.caller, name)));
  const bare = await Promise.all(proofIds.map((proofId) => fetchCertificate(one.caller, proofId)));
  t.ok(bare.every(({ status }) => status === 200));
  t.equal(await count(complete), 1, 'nobody hears the validators');
  for (const proofId of proofIds)
    t.match(dataOf(await getProof(one.caller, proofId)), { evidence: 'pending' });

  const second = await start('listening');
  await until('a ledger is linked to a later one', async () =>
    (await count(`type = 'LedgerLinked'`)) > 0 ? true : null,
  );
  one.kill('SIGKILL');
  second.kill('SIGKILL');
  await Promise.all([one.ended, second.ended]);
  const third = await start('listening');
  await until('every certificate has a successor', async () =>
    (await count(complete)) === 1 + proofIds.length ? true : null,
  );
  t.equal(await count(`type = 'CertificateIssued'`), 1 + 2 * proofIds.length, 'one each');

  for (const [place, proofId] of proofIds.entries()) {
    await until('the answers say so', async () => {
      const { evidence } = dataOf(await getProof(other.caller, proofId)) as { evidence?: string };
      return evidence === 'attested' ? true : null;
    });
    const { bytes } = await fetchCertificate(other.caller, proofId);
    const kept = await fetchCertificate(third.caller, `${proofId}?number=1`);
    t.equal(sha256(kept.bytes), sha256(bare[place]?.bytes ?? Buffer.alloc(0)), 'never overwritten');
    await writeFile(join(folder, 'certificate.pdf'), bytes);
    await writeFile(join(folder, 'file'), names[place] ?? '');
    const verify = { env: {}, cwd: folder };
    const given = ['--certificate', 'certificate.pdf', '--file', 'file'];
    const key = ['--validator-list-key', publisherKey];
    const { stdout, code } = await opsIn(t, verify, 'verify', ...given, ...key);
    t.equal(code, 0, stdout);
    t.match(stdout, /^Proven: /m);
    t.match(stdout, 'no evidential value');
  }
  t.equal(await count(`type = 'CertificateIssued'`), 1 + 2 * proofIds.length, 'still one each');
  await Promise.all([stop(other), stop(third)]);
});
