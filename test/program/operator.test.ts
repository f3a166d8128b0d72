import { type Test, test } from 'tap';
import { type Caller, getProof, hashOf, postProof, prove } from '../support/api-client.ts';
import { type Environment, opsAlone, opsJson } from '../support/operator.ts';
import { firstKey, newDataDir, startProgram, stop } from '../support/program.ts';
import { run } from '../support/run.ts';

test("the operator's changes apply to the running program from the next call on", async (t) => {
  const dataDir = await newDataDir(t);
  const env = { DATA_DIR: dataDir };
  const program = await startProgram(t, env);
  const { address } = program;
  const hash = hashOf('the same in both');

  const first = { address, ...(await firstKey(program)) };
  const made = await openOrganisation(t, env);
  const { organisationId } = made;
  const second = { address, ...made };
  const { proofId } = await prove(second, hash);
  t.not(
    (await prove(first, hash)).proofId,
    proofId,
    'the same hash in another workspace is another proof',
  );

  t.match(await getProof(second, proofId), { status: 200 });
  const foreign = await getProof(first, proofId);
  const unknown = await getProof(first, '01ARZ3NDEKTSV4RRFFQ69G5FAV');
  t.match(foreign, { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
  t.strictSame(foreign, unknown, 'a proof of another organisation is answered like an unknown one');
  const astray = await postProof({ ...first, workspace: second.workspace }, hash);
  t.match(astray, { status: 400, body: { code: 'INVALID_WORKSPACE' } });

  const refused = (status: number, code: string) => ({ status, body: { success: false, code } });
  t.match(await opsJson(t, env, 'organisation', 'suspend', organisationId), { suspended: true });
  t.match(await getProof(second, proofId), refused(403, 'COMPANY_SUSPENDED'));
  t.match(await postProof(second, hashOf('suspended')), refused(403, 'COMPANY_SUSPENDED'));
  t.match(await getProof(first, proofId), { status: 404 }, 'other organisations are not affected');
  await opsJson(t, env, 'organisation', 'resume', organisationId);
  t.match(await getProof(second, proofId), { status: 200 });

  await opsJson(t, env, 'organisation', 'api-access', organisationId, 'off');
  t.match(await getProof(second, proofId), refused(403, 'API_ACCESS_DISABLED'));
  await opsJson(t, env, 'organisation', 'api-access', organisationId, 'on');
  t.match(await getProof(second, proofId), { status: 200 });

  const other = await issueKey(t, env, organisationId);
  t.match(await getProof({ ...second, key: other }, proofId), { status: 200 });
  const list = await opsAlone(t, env, 'key', 'list', '--organisation', organisationId, '--json');
  const { keys } = JSON.parse(list.stdout) as { keys: { keyId: string }[] };
  t.equal(keys.length, 2);
  for (const { keyId } of keys) {
    t.match(await opsJson(t, env, 'key', 'revoke', keyId), { keyId, revoked: true });
  }
  for (const key of [second.key, other]) {
    t.match(await getProof({ ...second, key }, proofId), refused(401, 'INVALID_API_KEY'));
  }

  const command = 'npm run --silent ops -- organisation list --json';
  const { code, stdout, stderr } = await run(t, ['/bin/sh', '-c', command], { env }).ended;
  t.match({ code, stderr }, { code: 0, stderr: '' }, 'commands work in the form of the manual');
  const { organisations } = JSON.parse(stdout);
  t.equal(organisations.length, 2);
  for (const { plan } of organisations) t.equal(plan, 'professional');
  t.match(await stop(program), { code: 0, stderr: '' });
});

/** Opens an organisation with a workspace and a key that has no request limits in practice. */
async function openOrganisation(
  t: Test,
  env: Environment,
): Promise<Omit<Caller, 'address'> & { readonly organisationId: string }> {
  const create = ['organisation', 'create', '--name', 'Acme', '--plan', 'professional'];
  const { organisationId = '' } = await opsJson(t, env, ...create);
  const of = ['--organisation', organisationId];
  const [{ _id: workspace = '' }, key] = await Promise.all([
    opsJson(t, env, 'workspace', 'create', ...of, '--name', 'Archive'),
    issueKey(t, env, organisationId),
  ]);
  return { organisationId, workspace, key };
}

async function issueKey(t: Test, env: Environment, organisationId: string): Promise<string> {
  const scopes = 'documents:write,documents:read,workspaces:read,certificates:read';
  const args = ['key', 'create', '--organisation', organisationId, '--scopes', scopes];
  const unlimited = ['--requests-per-minute', '100000', '--requests-per-day', '1000000'];
  const { key = '' } = await opsJson(t, env, ...args, ...unlimited);
  return key;
}
