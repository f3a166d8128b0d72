import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { withCleanUp } from '../bench/clean-up.ts';
import { progress } from '../bench/progress.ts';
import { type CrashOptions, crash } from './crash.ts';

const program = new Command('crash')
  .description('Kills services, their PostgreSQL and their ledger under load, then audits.')
  .showHelpAfterError('(add --help for what there is)')
  .option('--kills <n>', 'how many', wholeNumber, 20)
  .option('--seed <n>', 'of moments and victims; a random one if not given', wholeNumber)
  .option('--services <n>', 'on one database and one ledger', wholeNumber, 2)
  .option('--callers <n>', 'concurrent callers', wholeNumber, 24)
  .action(async ({ seed = randomInt(2 ** 32), ...more }: Partial<CrashOptions>) => {
    progress(`seed ${seed}`);
    const options = { ...(more as Omit<CrashOptions, 'seed'>), seed };
    const report = await withCleanUp((cleanUp) => crash(options, cleanUp));
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    if (report.violations.length > 0) process.exitCode = 1;
  });

await program.parseAsync();
