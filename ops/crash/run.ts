import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { withCleanUp } from '../bench/harness/clean-up.ts';
import { progress } from '../bench/harness/progress.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { type CrashOptions, crash } from './crash.ts';
import { runHistories } from './histories/run-histories.ts';
import { standbyVictims, type Victim, victims } from './victims.ts';

const all = [...victims, ...standbyVictims];

function readVictims(text: string): readonly Victim[] {
  return text.split(',').map((name) => {
    const found = all.find((victim) => victim === name);
    if (found === undefined) throw new InvalidArgumentError(`They are ${all.join(', ')}.`);
    return found;
  });
}

interface Given extends Omit<CrashOptions, 'haproxy'> {
  readonly haproxy: string | true;
  readonly histories: number;
  readonly rate: number;
  readonly keep: string;
}

/** A light load, so that a run of an hour leaves the machine to others. */
const forHistories = { organisations: 2, clients: 3, pauseMs: 25_000, closeMs: 1_000 } as const;

function historyVictims({ standby }: Pick<CrashOptions, 'standby'>): readonly Victim[] {
  const database = standby ? standbyVictims : (['postgres', 'postgres connection'] as const);
  return ['service', 'frozen service', 'ledger', 'ledger connections', ...database];
}

const program = new Command('crash')
  .description('Kills services, PostgreSQL and the ledger under load, then audits the result.')
  .showHelpAfterError('(add --help to see all options)')
  .option('--kills <n>', 'number of kills', wholeNumber, 20)
  .option(
    '--seed <n>',
    'seed for the order of victims and the pauses (default: random)',
    wholeNumber,
  )
  .option('--services <n>', 'number of services on one database and one ledger', wholeNumber, 2)
  .option('--callers <n>', 'number of concurrent callers', wholeNumber, 24)
  .option('--standby', 'a primary and a synchronous standby, which change places', false)
  .option(
    '--proxy',
    'with --standby: the services know one address, which follows the primary',
    false,
  )
  .option(
    '--haproxy [program]',
    'with --standby: HAProxy in place of that proxy (default: haproxy of the PATH)',
  )
  .option(
    '--victims <names>',
    'victims, separated by commas (default: all; with --standby: primary and standby)',
    readVictims,
  )
  .option(
    '--histories <minutes>',
    'checks for so many minutes, instead of --kills, what clients see: lists, searches and posts',
    wholeNumber,
  )
  .option('--rate <n>', 'with --histories: calls a second of all clients together', wholeNumber, 20)
  .option('--keep <file>', 'with --histories: writes the history to this file')
  .addHelpText('after', '\nRIPPLED=/path replaces the standalone ledger by this rippled.')
  .action(async ({ seed = randomInt(2 ** 32), ...more }: Partial<Given>) => {
    progress(`Seed: ${seed}`);
    const rippled = process.env.RIPPLED ?? null;
    const given = more as Omit<CrashOptions, 'seed' | 'rippled' | 'victims' | 'haproxy'>;
    const { victims: chosen = given.standby ? standbyVictims : victims } = more;
    const haproxy = more.haproxy === true ? 'haproxy' : (more.haproxy ?? null);
    const options = { ...given, haproxy, victims: chosen, seed, rippled };
    const { histories: minutes, rate = 20, keep = null } = more;
    if (minutes !== undefined) {
      const seen = { ...options, ...forHistories, victims: more.victims ?? historyVictims(given) };
      const report = await withCleanUp((cleanUp) =>
        runHistories({ ...seen, minutes, rate, keep }, cleanUp),
      );
      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      const { anomalies, rebuilds, tooFewAnswers } = report;
      const isWrong = anomalies.length > 0 || rebuilds.different > 0;
      if (isWrong || tooFewAnswers !== null) process.exitCode = 1;
      return;
    }
    const report = await withCleanUp((cleanUp) => crash(options, cleanUp));
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    if (report.violations.length > 0) process.exitCode = 1;
  });

await program.parseAsync();
