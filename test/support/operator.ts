import { join } from 'node:path';
import tap, { type Test } from 'tap';
import type { OperatorAnswer, OperatorOrder } from './operator-process.ts';
import { type Outcome, projectRoot, type Run, run } from './run.ts';

export type Environment = Readonly<Record<string, string>>;

/** A process that runs commands, with the number of commands it has answered. */
interface Runner {
  readonly process: Run;
  readonly answered: number;
}

/** Runners of this test file without a command in progress. */
const idle: Runner[] = [];

/**
 * Runs one of the operator's commands with only these variables set. Commands of a test file share a
 * process (operator-process.ts), since loading their code takes longest; simultaneous ones have one each.
 */
export function ops(
  t: Pick<Test, 'teardown'>,
  env: Environment,
  ...args: readonly string[]
): Promise<Outcome> {
  return opsIn(t, { env, cwd: projectRoot }, ...args);
}

/** Like `ops`, in another working folder. */
export async function opsIn(
  t: Pick<Test, 'teardown'>,
  { env, cwd }: Omit<OperatorOrder, 'args'>,
  ...args: readonly string[]
): Promise<Outcome> {
  const { process, answered } = idle.pop() ?? startRunner();
  let isOver = false;
  t.teardown(() => {
    if (!isOver) process.kill('SIGKILL');
  });
  process.write(`${JSON.stringify({ env, cwd, args } satisfies OperatorOrder)}\n`);
  const [, line = ''] = await process.said(new RegExp(`^(?:.*\n){${answered}}(.*)\n`));
  isOver = true;
  const { ends, ...outcome } = JSON.parse(line) as OperatorAnswer;
  if (!ends) idle.push({ process, answered: answered + 1 });
  return outcome;
}

function startRunner(): Runner {
  const script = join(import.meta.dirname, 'operator-process.ts');
  return { process: run(tap, [process.execPath, script], { takesInput: true }), answered: 0 };
}

/** Runs a command in a process of its own, as operators do. */
export function opsAlone(
  t: Pick<Test, 'teardown'>,
  env: Environment,
  ...args: readonly string[]
): Promise<Outcome> {
  return run(t, [process.execPath, join(projectRoot, 'ops/cli.ts'), ...args], { env }).ended;
}

/** Like `ops` with `--json`: the object that it prints. Rejects if the command fails. */
export async function opsJson(
  t: Pick<Test, 'teardown'>,
  env: Environment,
  ...args: readonly string[]
): Promise<Readonly<Record<string, string>>> {
  const outcome = await ops(t, env, ...args, '--json');
  if (outcome.code !== 0) throw new Error(`${args.join(' ')}: ${outcome.stderr}`);
  return JSON.parse(outcome.stdout) as Record<string, string>;
}

/** Parses the output of `--json`, which must be one object on one line, with an empty stderr. */
export function jsonOf(t: Pick<Test, 'match'>, outcome: Outcome): Record<string, unknown> {
  t.match(outcome, { code: 0, stderr: '' });
  t.match(outcome.stdout, /^\{.*\}\n$/);
  return JSON.parse(outcome.stdout);
}
