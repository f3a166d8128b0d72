import type { Command } from 'commander';
import { loadConfig } from '../../src/config.ts';
import { type OperatorSession, openOperatorSession } from './operator-session.ts';

/** Result of a command: one JSON object for programs, text for people. */
export interface Report {
  readonly json: object;
  readonly text: string;
}

/**
 * Defines the action of a command: opens the session, works, waits until the read models are up to
 * date, prints the result. Prints it even if that wait fails, since a key is shown only once. Adds
 * the option `--json`.
 * `Args` and `Options` are the parsed arguments and options of the command.
 * @param onlyReads also allows a log that differs from the published log; waits for no read model
 * @param uncompared allows a log that differs from the published log, to repair it
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

/**
 * Runs the work in a session of the configuration. Closes the session afterwards, or when a signal
 * ends the program.
 */
async function withSession<Result>(
  options: { readonly uncompared?: boolean },
  work: (session: OperatorSession) => Promise<Result>,
): Promise<Result> {
  const session = await openOperatorSession(loadConfig(process.env), options);
  return withOpened(session, () => work(session));
}

interface Opened {
  close(): Promise<void>;
}

/**
 * Runs the work, and then closes `opened`. A signal that ends the program first calls `onSignal`,
 * then also closes `opened`.
 */
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

/**
 * Closes the session on SIGINT and SIGTERM, so that an interrupted command stops the PostgreSQL
 * that it started.
 */
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
