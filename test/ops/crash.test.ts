import { join } from 'node:path';
import { test } from 'tap';
import { projectRoot, run } from '../support/run.ts';

test('killed four times under load, it has lost nothing and anchored nothing twice', async (t) => {
  const command = [process.execPath, join(projectRoot, 'ops/crash/run.ts'), '--kills', '4'];
  const { code, stdout, stderr } = await run(t, [...command, '--callers', '8']).ended;
  t.equal(code, 0, stderr);
  const report = JSON.parse(stdout);
  t.match(report, { seed: Number, violations: [] });
  t.ok(report.proofs.onLedger > 0, 'under load');
});
