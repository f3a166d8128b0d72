import { test } from 'tap';
import { runWarm } from './warm-program.ts';

test('many runs in one process leave no listeners behind', async (t) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => {
    if (warning.name === 'MaxListenersExceededWarning') warnings.push(warning);
  };
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  const processes = new Set<number>();
  for (let count = 0; count < 12; count += 1) {
    const run = runWarm(t, { PORT: 'none' });
    const { code, stderr } = await run.ended;
    t.equal(code, 1);
    t.match(stderr, 'PORT');
    processes.add(run.pid);
  }
  t.equal(processes.size, 1, 'all in the same process');
  t.strictSame(warnings, []);
});
