import { join } from 'node:path';
import type { Test } from 'tap';
import type { Caller } from './api-client.ts';
import { type Outcome, projectRoot, run } from './run.ts';

type Environment = Readonly<Record<string, string>>;

/** Runs one of the operator's commands as they do, with only these variables set. */
export function ops(
  t: Pick<Test, 'teardown'>,
  env: Environment,
  ...args: readonly string[]
): Promise<Outcome> {
  return run(t, [process.execPath, join(projectRoot, 'ops/cli.ts'), ...args], { env }).ended;
}

/** The same with `--json`: what it prints. Rejects if it fails. */
export async function opsJson(
  t: Pick<Test, 'teardown'>,
  env: Environment,
  ...args: readonly string[]
): Promise<Readonly<Record<string, string>>> {
  const outcome = await ops(t, env, ...args, '--json');
  if (outcome.code !== 0) throw new Error(`${args.join(' ')}: ${outcome.stderr}`);
  return JSON.parse(outcome.stdout) as Record<string, string>;
}

/** A new organisation with a workspace and a key that is good for any number of requests. */
export async function openOrganisation(
  t: Pick<Test, 'teardown'>,
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

export async function issueKey(
  t: Pick<Test, 'teardown'>,
  env: Environment,
  organisationId: string,
): Promise<string> {
  const scopes = 'documents:write,documents:read,workspaces:read,certificates:read';
  const args = ['key', 'create', '--organisation', organisationId, '--scopes', scopes];
  const unlimited = ['--requests-per-minute', '100000', '--requests-per-day', '1000000'];
  const { key = '' } = await opsJson(t, env, ...args, ...unlimited);
  return key;
}
