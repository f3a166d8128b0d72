import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { noteSigner } from '../../src/transparency-log/checkpoint/note-key.ts';
import { type Caller, hashOf, prove } from '../support/api-client.ts';
import { newFolder } from '../support/blobs.ts';
import { fetchCertificate } from '../support/certificate-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { ops, opsJson } from '../support/operator.ts';
import { startProgram, stop } from '../support/program.ts';
import { openReplaceDatabase } from '../support/replace-database.ts';

test('after a restore, certificates of every epoch verify with the log key that signed them', async (t) => {
  const { env: hosted, databaseUrl, ledger, accounts } = await startHosted(t, { closeMs: 250 });
  const [oldSeed, newSeed] = [randomBytes(32), randomBytes(32)];
  const env: Record<string, string> = {
    ...hosted,
    LOG_KEY: oldSeed.toString('base64'),
    CHECKPOINT_INTERVAL_MS: '50',
  };
  const organisation = await openOrganisation(env);
  const replaced = await openReplaceDatabase(t, databaseUrl);
  const folder = await newFolder(t);
  /** Proves a file and fetches its certificate, with a program started for this file alone. */
  const certify = async (name: string, of = env) => {
    const program = await startProgram(t, of);
    const caller = { ...organisation, address: program.address };
    const { proofId } = await prove(caller, hashOf(name));
    const { bytes } = await fetchCertificate(caller, proofId);
    await writeFile(join(folder, `${name}.pdf`), bytes);
    await writeFile(join(folder, name), name);
    return { caller, proofId, stop: () => stop(program) };
  };
  const before = await certify('before');
  t.match(await before.stop(), { code: 0 });
  await replaced.keep();
  const lost = await certify('lost');
  t.match(await lost.stop(), { code: 0 });
  await replaced.goBack();
  t.match(await opsJson(t, env, 'log', 'restored', '--yes'), { restored: true, epoch: 2 });
  const exchanged = { ...env, LOG_KEY: newSeed.toString('base64') };
  const after = await certify('after', exchanged);

  const { vkeys, origin } = (await opsJson(t, exchanged, 'log', 'key')) as unknown as {
    vkeys: string[];
    origin: string;
  };
  const first = origin.replace(/\/2$/, '');
  t.equal(origin, `${first}/2`);
  const [newest, newOfFirst, oldOfFirst] = [
    noteSigner(origin, newSeed),
    noteSigner(first, newSeed),
    noteSigner(first, oldSeed),
  ].map(({ vkey }) => vkey) as [string, string, string];
  t.strictSame(vkeys, [newest, newOfFirst, oldOfFirst], 'keys of all epochs are shown');
  t.strictSame(await shownBy(t, after.caller, after.proofId), { docs: vkeys, inclusion: vkeys });
  t.match(await after.stop(), { code: 0 });

  const verify = async (name: string, keys: readonly string[]) => {
    const of = ['--certificate', join(folder, `${name}.pdf`), '--file', join(folder, name)];
    const against = ['--ledger', ledger.url, '--account', accounts.join()];
    const known = ['--log-key', keys.join()];
    const { code, stdout } = await ops(t, {}, 'verify', ...of, ...against, ...known, '--json');
    const { proven, conclusion, checks } = JSON.parse(stdout);
    const isOfLog = (one: { name: string }) => one.name === 'log checkpoint';
    return { code, proven, conclusion, checkpoint: checks.find(isOfLog) };
  };
  for (const [name, key] of Object.entries({
    before: oldOfFirst,
    lost: oldOfFirst,
    after: newest,
  })) {
    const found = await verify(name, vkeys);
    t.match(found, { code: 0, proven: true, checkpoint: { outcome: 'ok' } }, name);
    t.equal(found.checkpoint.detail, `the checkpoint is signed with the given key ${key}`);
  }
  const unnamed = await verify('before', [newest]);
  t.match(unnamed, { code: 0, checkpoint: { outcome: 'notChecked', detail: /another epoch/ } });
  t.match(unnamed.conclusion, /^Proven: .* record of this proof in the log was not verified/);
  const wrong = await verify('before', [newest, newOfFirst]);
  t.match(wrong, { code: 1, proven: false, checkpoint: { outcome: 'failed' } });
});

/** The log keys that the service publishes. */
async function shownBy(t: Test, { address, key }: Caller, proofId: string) {
  const get = async (path: string) => {
    const answer = await fetch(`${address}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    t.equal(answer.status, 200, path);
    const { data } = (await answer.json()) as { data: { logKeys: string[] } };
    return data.logKeys;
  };
  return { docs: await get('/docs'), inclusion: await get(`/proofs/${proofId}/inclusion`) };
}
