/**
 * Runs the program (src/main.ts) several times, one run after the other, in one process: loading its code
 * takes most of the processor time of a start. Reads the variables of each run from a line of stdin. When
 * the program exits, writes a mark and the exit code to stdout and stderr, and awaits the next line.
 *
 * Only src/main.ts itself is evaluated again. Signals, output and their order are those of the program.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const ofRun = ['SIGTERM', 'SIGINT', 'uncaughtException', 'unhandledRejection'];
const own = { ...process.env };
let runs = 0;

for await (const line of createInterface(process.stdin)) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, own, JSON.parse(line));
  for (const event of ofRun) process.removeAllListeners(event);
  process.exitCode = undefined;
  const code = await runProgram();
  const end = `\u0000ended ${code}\n`;
  process.stdout.write(end);
  process.stderr.write(end);
}

/** Resolves with the exit code when the program ends. */
async function runProgram(): Promise<number> {
  const exited = new Promise<number>((exit) => {
    process.exit = ((code?: number) => {
      exit(Number(code ?? process.exitCode ?? 0));
    }) as typeof process.exit;
  });
  runs += 1;
  await import(`../../src/main.ts?run=${runs}`);
  for (;;) {
    const code = await Promise.race([exited, sleep(100)]);
    // Its last lines may be on their way.
    if (code !== undefined) return sleep(10, code);
    // Set by a start that fails before anything runs; such a process would end by itself.
    if (process.exitCode !== undefined) return Number(process.exitCode);
  }
}
