import { test } from 'tap';
import { operate } from '../../../ops/operate.ts';

test('a command that a defect ends says so, and exits with 1', async (t) => {
  const { exitCode } = process;
  const stderr = t.capture(process.stderr, 'write', () => true);
  await operate(null as unknown as readonly string[]);
  const code = process.exitCode;
  process.exitCode = exitCode;
  t.equal(code, 1);
  const [written] = stderr();
  t.match(written?.args[0], /^error: this is a defect of the program; .*\nTypeError: .*\n\s+at /);
});
