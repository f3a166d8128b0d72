import { once } from 'node:events';
import { join } from 'node:path';
import tap, { type Test } from 'tap';
import { type Outcome, type Printed, type Run, run, saidIn } from './run.ts';

/** Processes of this test file in which the program has ended (program-process.ts). */
const idle: Run[] = [];

/**
 * Runs the program with these variables, in a process in which an earlier run of this test file has ended
 * if there is one. For tests, such a run is a process of its own: it has its own output and exit code, and
 * a signal that ends a process at once, such as SIGKILL, ends it.
 */
export function runWarm(t: Pick<Test, 'teardown'>, env: Readonly<Record<string, string>>): Run {
  const host = takeIdle() ?? startHost();
  const before = { ...host.printed() };
  host.write(`${JSON.stringify(env)}\n`);
  let outcome: Outcome | null = null;
  const heard = new EventTarget();
  const rest = (): Printed => {
    const { stdout, stderr } = host.printed();
    return {
      stdout: stdout.slice(before.stdout.length),
      stderr: stderr.slice(before.stderr.length),
    };
  };
  const passOn = () => heard.dispatchEvent(new Event('change'));
  const ended = awaitEnd(host, rest).then((found) => {
    outcome = found;
    host.heard.removeEventListener('change', passOn);
    passOn();
    if (host.outcome() === null) idle.push(host);
    return found;
  });
  host.heard.addEventListener('change', passOn);
  t.teardown(async () => {
    if (outcome === null) host.kill('SIGKILL');
    await ended;
  });
  const source = { printed: () => outcome ?? rest(), outcome: () => outcome, heard };
  return {
    ...source,
    pid: host.pid,
    ended,
    said: saidIn(source),
    write: host.write,
    kill(signal) {
      if (outcome === null) host.kill(signal);
    },
    interrupt() {
      if (outcome === null) host.interrupt();
    },
  };
}

function takeIdle(): Run | undefined {
  for (let host = idle.pop(); host !== undefined; host = idle.pop()) {
    if (host.outcome() === null) return host;
  }
  return undefined;
}

function startHost(): Run {
  const script = join(import.meta.dirname, 'program-process.ts');
  return run(tap, [process.execPath, script], { takesInput: true });
}

/** Written between the runs; no program prints this character. */
const mark = '\u0000ended ';

async function awaitEnd(host: Run, rest: () => Printed): Promise<Outcome> {
  for (;;) {
    const { stdout, stderr } = rest();
    const [[printed = '', code = ''], [errors = '', again = '']] = [
      stdout.split(mark),
      stderr.split(mark),
    ];
    if (code.endsWith('\n') && again.endsWith('\n')) {
      return { code: Number(code), signal: null, stdout: printed, stderr: errors };
    }
    const outcome = host.outcome();
    if (outcome !== null) return { ...outcome, stdout, stderr };
    await once(host.heard, 'change');
  }
}
