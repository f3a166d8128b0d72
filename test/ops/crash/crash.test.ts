import { join } from 'node:path';
import { test } from 'tap';
import type { CrashReport } from '../../../ops/crash/crash.ts';
import { victims } from '../../../ops/crash/victims.ts';
import { projectRoot, run } from '../../support/run.ts';
import { isThorough } from '../../support/run-count.ts';
import { seededRandom } from '../../support/seed.ts';

/** PostgreSQL's sessions are found through /proc, which only Linux has. */
const killable = victims.filter(
  (victim) => victim !== 'postgres session' || process.platform === 'linux',
);

test('two services killed and frozen under load lose no proof and anchor no hash twice', async (t) => {
  const seed = Math.floor(seededRandom(t)() * 2 ** 32);
  const callers = isThorough ? 4 : 2;
  const options = { kills: killable.length + 1, services: 2, callers, seed };
  const script = join(projectRoot, 'ops/crash/run.ts');
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const harness = run(t, [process.execPath, script, ...args]);
  t.teardown(async () => {
    // On SIGTERM the harness stops the processes that it started.
    harness.kill('SIGTERM');
    await harness.ended;
  });
  const { code, stdout, stderr } = await harness.ended;
  if (code !== 0) t.comment(stderr);
  if (stdout === '') {
    t.fail('the harness printed no report');
    return;
  }
  const report = JSON.parse(stdout) as CrashReport;
  t.strictSame(report.violations, []);
  t.equal(code, 0);
  t.strictSame(new Set(Object.keys(report.kills)), new Set(killable), 'every victim was killed');
  const { anchored, onLedger } = report.proofs;
  t.ok(anchored > 50);
  t.equal(anchored, onLedger);
  t.comment(`${anchored} proofs in ${report.seconds} s`);
});
