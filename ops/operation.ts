import type { Command } from 'commander';
import { loadConfig } from '../src/config.ts';
import { type OperatorSession, openOperatorSession } from './operator-session.ts';

/** What a command tells: one JSON object for programs, text for people. */
export interface Report {
  readonly json: object;
  readonly text: string;
}

/**
 * Turns the work of a command into what commander runs: opens the session, works, lets the read
 * models catch up, prints. What was worked out is printed even where catching up fails, since a key
 * is told only once. Every such command has the option `--json`. `Args` and `Options` are what the
 * command's arguments and options are parsed to. One that `onlyReads` is also for a log that is not
 * the one that was published, and nothing has to catch up with it; one that is `uncompared` mends such
 * a log.
 */
export function operation<Args extends readonly unknown[], Options extends object>(
  command: Command,
  work: (session: OperatorSession, args: Args, options: Options) => Promise<Report>,
  {
    onlyReads = false,
    uncompared = onlyReads,
  }: { readonly onlyReads?: boolean; readonly uncompared?: boolean } = {},
): void {
  command.option('--json', 'print one JSON object');
  command.action(async (...given: unknown[]) => {
    // commander passes the parsed arguments, then the options and the command itself.
    const args = given.slice(0, -2) as unknown as Args;
    const options = command.opts<Options & { json?: boolean }>();
    await withSession({ uncompared }, async (session) => {
      const report = await work(session, args, options);
      const settled = onlyReads ? Promise.resolve() : session.settle();
      await settled.catch(() => {});
      process.stdout.write(`${options.json ? JSON.stringify(report.json) : report.text}\n`);
      await settled;
    });
  });
}

/** Works in a session of the configuration, which is closed then, or when a signal ends the program. */
export async function withSession<Result>(
  options: { readonly uncompared?: boolean },
  work: (session: OperatorSession) => Promise<Result>,
): Promise<Result> {
  const session = await openOperatorSession(loadConfig(process.env), options);
  return withOpened(session, () => work(session));
}

interface Opened {
  close(): Promise<void>;
}

/** Works, and then closes what was opened. A signal that ends the program closes it too; `onSignal` hears of it first. */
export async function withOpened<Result>(
  opened: Opened,
  work: () => Promise<Result>,
  onSignal: () => void = () => {},
): Promise<Result> {
  const ignoreSignals = closeOnSignals(opened, onSignal);
  try {
    return await work();
  } finally {
    ignoreSignals();
    await opened.close();
  }
}

/** A command that is interrupted still stops the PostgreSQL that it started. */
function closeOnSignals(opened: Opened, onSignal: () => void): () => void {
  const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
  const handlers = Object.entries(exitCodes).map(([signal, exitCode]) => {
    const handle = () => {
      onSignal();
      opened.close().finally(() => process.exit(exitCode));
    };
    process.once(signal, handle);
    return () => process.off(signal, handle);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}
