import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { type Caller, hashOf, prove } from '../support/api-client.ts';
import { fetchBundle, fetchCertificate } from '../support/certificate-client.ts';
import { sha256 } from '../support/forms.ts';
import { isSignedBy } from '../support/issuer-signature.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops } from '../support/operator.ts';
import { newDataDir, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test('certificates are signed, recorded, and stay so after a rotation, a restart and an erasure', async (t) => {
  const env = { DATA_DIR: await newDataDir(t) };
  let program = await startProgram(t, env);
  const { organisationId, ...own } = await openOrganisation(env);
  const caller = (): Caller => ({ ...own, address: program.address });
  const certify = async (name: string) => {
    const { proofId } = await prove(caller(), hashOf(name));
    const pdf = (await fetchCertificate(caller(), proofId)).bytes;
    return { proofId, pdf, bundle: (await fetchBundle(caller(), proofId)).bytes };
  };
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several shapes
  const get = async (path: string): Promise<any> =>
    (await fetch(`${program.address}${path}`)).json();
  const keys = async () => (await get('/api/v1/issuer-keys')).data;
  const find = (pdf: Uint8Array) => get(`/log/certificates/${sha256(Buffer.from(pdf))}`);
  const found = (pdf: Uint8Array) => async () => (await find(pdf)).success === true;

  const first = await certify('first');
  const [before, ...none] = await keys();
  t.strictSame(none, [], 'made at the first start');
  t.ok(isSignedBy(textOf(first.bundle), before.key));

  const since = '2026-11-23T12:00:00Z';
  const rotated = await ops(
    t,
    env,
    'issuer',
    'rotate',
    '--compromised',
    '--since',
    since,
    '--json',
  );
  t.equal(rotated.code, 0, rotated.stderr);
  const { retired, published } = JSON.parse(rotated.stdout);
  t.equal(retired, before.key);
  const second = await certify('second');
  t.ok(isSignedBy(textOf(second.bundle), published), 'without a restart');
  t.match(await keys(), [
    { key: published, state: 'current' },
    { key: retired, state: 'compromised', compromisedSince: '2026-11-23T12:00:00.000Z' },
  ]);
  const listed = await ops(t, env, 'issuer', 'keys');
  t.match(listed.stdout, published);
  t.match(await ops(t, env, 'issuer', 'rotate', '--since', since), {
    code: 1,
    stderr: /--compromised/,
  });
  const again = await ops(t, env, 'issuer', 'compromised', published, '--since', since);
  t.match(again, { code: 1, stderr: /signs now/ });

  for (const { pdf } of [first, second]) await until('a checkpoint covers it', found(pdf));
  const { data: docs } = await get('/api/v1/docs');
  const judge = async (pdf: Uint8Array) => {
    const path = join(env.DATA_DIR, 'given.pdf');
    await writeFile(path, pdf);
    const online = ['--server', program.address, '--log-key', docs.logKeys[0]];
    return (await ops(t, env, 'verify', '--certificate', path, ...online)).stdout;
  };
  t.match(await judge(first.pdf), /^ok +issued certificate +the log records this PDF/m);
  const altered = Buffer.concat([first.pdf, Buffer.from('\n')]);
  t.match(await judge(altered), /^FAILED +issued certificate .*no record of these bytes/m);

  const audit = await ops(t, env, 'audit', 'verify', '--json');
  t.strictSame(JSON.parse(audit.stdout).faults, []);

  await stop(program);
  program = await startProgram(t, env);
  t.ok(Buffer.from((await fetchBundle(caller(), first.proofId)).bytes).equals(first.bundle));
  t.match(await keys(), { length: 2 });

  const erased = await ops(t, env, 'organisation', 'erase', organisationId, '--yes');
  t.equal(erased.code, 0, erased.stderr);
  for (const { pdf } of [first, second]) t.ok((await find(pdf)).success, 'the record remains');
  const later = await ops(t, env, 'audit', 'verify', '--json');
  t.strictSame(JSON.parse(later.stdout).faults, []);
  await stop(program);
});
