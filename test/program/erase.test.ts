import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { query } from '../embedded/run-service.ts';
import { hashOf, postProof, prove, verify } from '../support/api-client.ts';
import { plain } from '../support/interrupted-posts.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops } from '../support/operator.ts';
import { firstKey, newDataDir, startProgram, stop } from '../support/program.ts';

test('an organisation is erased while the service runs, and again at the start after a restore', async (t) => {
  const env = { DATA_DIR: await newDataDir(t) };
  let program = await startProgram(t, env);
  const first = { ...(await firstKey(program)), address: program.address };
  const { organisationId, ...own } = await openOrganisation(env);
  const caller = { ...own, address: program.address };
  const proof = await prove(caller, hashOf('plain'), plain);

  const erase = ['organisation', 'erase', organisationId];
  const unsaid = await ops(t, env, ...erase);
  t.match(unsaid, { code: 1, stdout: '', stderr: /nothing was erased: use --yes/ });
  t.match(await postProof(caller, hashOf('plain'), plain), { status: 200 });
  const erased = await ops(t, env, ...erase, '--yes', '--json');
  t.match(erased, {
    code: 0,
    stderr: /no work is in flight\nerasure recorded .*keys destroyed\n.*files del/s,
  });
  t.strictSame(JSON.parse(erased.stdout), { organisationId, erased: true });
  const again = await ops(t, env, ...erase, '--yes');
  t.match(again, { code: 0, stdout: new RegExp(`^organisation ${organisationId} is erased\\. `) });
  for (const left of [
    'Copies of its rows and of its wrapped keys are still in backups, ',
    'in WAL until it is recycled, in archives of WAL, and on replicas that have not followed. ',
    'Versions of a bucket and snapshots of disks keep its files.\n',
  ]) {
    t.ok(again.stdout.includes(left), left);
  }
  const refused = { status: 401, body: { code: 'INVALID_API_KEY' } };
  t.match(await postProof(caller, hashOf('other'), plain), refused);
  t.match(await verify(program.address, proof.txHash), {
    body: { data: { verified: true, memo: { fileHash: hashOf('plain') } } },
  });
  await prove(first, hashOf('another one'));
  t.match(await ops(t, env, 'organisation', 'show', organisationId), {
    ...{ code: 1, stderr: /was erased/ },
  });
  const postgres = await findEmbeddedPostgres({ dataDir: env.DATA_DIR });
  const keys =
    "SELECT DISTINCT organisation_id AS id FROM data_keys WHERE organisation_id !~ '^(service$|issuer-)'";
  const [left, ...more] = await query(postgres?.url ?? '', keys);
  t.strictSame(more, []);
  t.match(await stop(program), { code: 0, stderr: '' });

  // Simulate a backup from before the erasure: a note of the erasure whose keys still exist.
  const notes = join(env.DATA_DIR, 'files', 'erased');
  t.strictSame(await readdir(notes), [organisationId]);
  await writeFile(join(notes, String(left?.id)), '');
  program = await startProgram(t, env);
  t.match(await postProof({ ...first, address: program.address }, hashOf('again')), refused);
  t.match(await stop(program), { code: 0, stderr: /they are erased again/ });
});
