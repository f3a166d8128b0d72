import { test } from 'tap';
import { run } from '../support/run.ts';

/** Runs a script that hears signals. `since` is the start of its end, null at first. */
function hearing(t: Parameters<typeof run>[0], script: string) {
  const program = `
    import { hearSignals } from './src/signals/hear-signals.ts';
    let since = null;
    const codes = { SIGINT: 130, SIGTERM: 143 };
    const stop = hearSignals({
      endingSince: () => since,
      onFirst: (signal) => console.log('ends by', signal),
      codeAtOnce: (signal) => codes[signal],
    });
    ${script}`;
  return run(t, [process.execPath, '--input-type=module', '--eval', program]).ended;
}

test('a signal that comes later than the repetition of the first ends the program', async (t) => {
  const outcome = await hearing(
    t,
    `process.emit('SIGINT');
     since = performance.now();
     process.emit('SIGINT');
     process.emit('SIGTERM');
     console.log('goes on');
     since = performance.now() - 1_001;
     process.emit('SIGTERM');
     console.log('never comes here');`,
  );
  t.match(outcome, { code: 143, signal: null, stdout: 'ends by SIGINT\ngoes on\n', stderr: '' });
});

test('signals are heard until the hearing stops', async (t) => {
  const outcome = await hearing(t, `stop(); process.kill(process.pid, 'SIGINT');`);
  t.match(outcome, { code: null, signal: 'SIGINT', stdout: '', stderr: '' });
});
