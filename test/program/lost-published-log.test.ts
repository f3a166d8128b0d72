import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import { hashOf, postProof, prove } from '../support/api-client.ts';
import { startHosted } from '../support/ledger-process.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { opsJson } from '../support/operator.ts';
import { runProgram, startProgram, stop } from '../support/program.ts';
import { until } from '../support/until.ts';

test('a log whose published files are lost is published again as a new epoch', async (t) => {
  const { env: hosted } = await startHosted(t, { closeMs: 250 });
  const env = { ...hosted, CHECKPOINT_INTERVAL_MS: '50' };
  const { DATA_DIR = '' } = hosted;
  const organisation = await openOrganisation(env);
  const published = async (address: string) =>
    (await (await fetch(`${address}/log/checkpoint`)).text()).split('\n');
  const first = await startProgram(t, env);
  await prove({ ...organisation, address: first.address }, hashOf('kept'));
  const [origin = ''] = await until('the log is published', async () => {
    const lines = await published(first.address);
    return Number(lines[1]) > 0 ? lines : null;
  });
  t.match(await stop(first), { code: 0 });

  await rm(join(DATA_DIR, 'files', 'log'), { recursive: true });
  const refused = await runProgram(t, env).ended;
  t.match(refused, { code: 1, stderr: /holds no checkpoint.*`ops log restored`/ });
  t.match(await opsJson(t, env, 'log', 'restored', '--yes'), { epoch: 2, published: null });

  const again = await startProgram(t, env);
  const caller = { ...organisation, address: again.address };
  t.match(await postProof(caller, hashOf('kept')), { status: 200, body: { alreadyProven: true } });
  await prove(caller, hashOf('later'));
  await until('the new epoch is published', async () => {
    return (await published(again.address))[0] === `${origin}/2`;
  });
  t.match(await stop(again), { code: 0 });
  t.match(await stop(await startProgram(t, env)), { code: 0 });
});
