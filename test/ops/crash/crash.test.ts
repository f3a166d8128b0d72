import { join } from 'node:path';
import { type Test, test } from 'tap';
import type { CrashReport } from '../../../ops/crash/crash.ts';
import { victims } from '../../../ops/crash/victims.ts';
import { projectRoot, run } from '../../support/run.ts';
import { isThorough } from '../../support/run-count.ts';
import { seededRandom } from '../../support/seed.ts';

/** PostgreSQL's sessions are found through /proc, which only Linux has. */
const killable = victims.filter(
  (victim) => victim !== 'postgres session' || process.platform === 'linux',
);

/** Runs the harness and returns its report; fails the test if it found a violation. */
async function runHarness(
  t: Test,
  options: Readonly<Record<string, number>>,
  flags: readonly string[] = [],
): Promise<CrashReport | null> {
  const seed = Math.floor(seededRandom(t)() * 2 ** 32);
  const script = join(projectRoot, 'ops/crash/run.ts');
  const values = Object.entries({ ...options, seed });
  const args = values.flatMap(([name, value]) => [`--${name}`, String(value)]);
  const harness = run(t, [process.execPath, script, ...args, ...flags]);
  t.teardown(async () => {
    // On SIGTERM the harness stops the processes that it started.
    harness.kill('SIGTERM');
    await harness.ended;
  });
  const { code, stdout, stderr } = await harness.ended;
  if (code !== 0) t.comment(stderr);
  if (stdout === '') {
    t.fail('the harness printed no report');
    return null;
  }
  const report = JSON.parse(stdout) as CrashReport;
  t.strictSame(report.violations, []);
  t.equal(code, 0);
  const { anchored, onLedger } = report.proofs;
  t.equal(anchored, onLedger);
  t.comment(`${anchored} proofs in ${report.seconds} s`);
  return report;
}

const callers = isThorough ? 4 : 2;

test('two services killed and frozen under load lose no proof and anchor no hash twice', async (t) => {
  const kills = killable.length + (isThorough ? 1 : 0);
  const report = await runHarness(t, { kills, services: 2, callers });
  if (report === null) return;
  t.strictSame(new Set(Object.keys(report.kills)), new Set(killable), 'every victim was killed');
  t.ok(report.proofs.anchored > (isThorough ? 50 : 10));
});

test('two services go on without a restart when primary and standby change places', async (t) => {
  const kills = isThorough ? 4 : 2;
  const report = await runHarness(t, { kills, services: 2, callers }, ['--standby']);
  if (report === null) return;
  t.strictSame(report.kills, { primary: kills / 2, standby: kills / 2 });
  t.strictSame(report.starts, [1, 1]);
  t.ok(report.proofs.anchored > 10);
});
