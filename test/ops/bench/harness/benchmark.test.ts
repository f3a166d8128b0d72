import { test } from 'tap';
import {
  benchmark,
  count,
  optionalCount,
  optionalNames,
} from '../../../../ops/bench/harness/benchmark.ts';

const options = {
  warmUp: count('seconds', 30),
  total: optionalCount('proofs'),
  only: optionalNames('these'),
};

test("a report has the common members and the benchmark's own", async (t) => {
  const written = t.capture(process.stdout, 'write', () => true);
  const command = benchmark({
    name: 'sample',
    description: 'a sample',
    options,
    measure: async (chosen) => ({ postgres: null, loadAtEnd: 0.5, setting: chosen, met: true }),
  });
  await command.parseAsync(['--warm-up', '3', '--only', 'a,b'], { from: 'user' });
  const [text] = written().map(({ args }) => String(args[0]));
  const report = JSON.parse(text ?? '');
  t.strictSame(Object.keys(report), [
    ...['startedAt', 'benchmark', 'machine', 'loadAverage', 'setting', 'met'],
  ]);
  t.match(report, { benchmark: 'sample', loadAverage: { end: 0.5 }, machine: { cores: Number } });
  t.strictSame(report.setting, { warmUp: 3, only: ['a', 'b'] });
  t.notOk('postgres' in report.machine, 'no version of a PostgreSQL that took no part');
});

test('when a measurement fails, its parts are stopped in reverse order', async (t) => {
  const ended: string[] = [];
  const command = benchmark({
    name: 'sample',
    description: 'a sample',
    options,
    async measure({ warmUp, total }, cleanUp) {
      t.equal(warmUp, 30);
      t.equal(total, undefined);
      for (const part of ['folder', 'service']) cleanUp.defer(async () => void ended.push(part));
      throw new Error('the service ended by itself');
    },
  });
  await t.rejects(command.parseAsync([], { from: 'user' }), { message: /ended by itself/ });
  t.strictSame(ended, ['service', 'folder']);
});
