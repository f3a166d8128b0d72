import { join } from 'node:path';
import type { Test } from 'tap';
import { type Outcome, projectRoot, run } from './run.ts';

export type Environment = Readonly<Record<string, string>>;

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

/** The object that `--json` printed: one, on one line, and nothing on stderr. */
export function jsonOf(t: Pick<Test, 'match'>, outcome: Outcome): Record<string, unknown> {
  t.match(outcome, { code: 0, stderr: '' });
  t.match(outcome.stdout, /^\{.*\}\n$/);
  return JSON.parse(outcome.stdout);
}
