import type { Command } from 'commander';
import { loadConfig } from '../../src/config.ts';
import { leavesPostgresRunning } from '../../src/embedded/postgres/embedded-postgres-error.ts';
import { hearSignals } from '../../src/signals/hear-signals.ts';
import { errorMessage } from '../terminal/error-message.ts';
import { type OperatorSession, openOperatorSession } from './operator-session.ts';

/** Result of a command: one JSON object for programs, text for people. */
export interface Report {
  readonly json: object;
  readonly text: string;
}

interface OperationOptions {
  /** Also allows a log that differs from the published log; waits for no read model. */
  readonly onlyReads?: boolean;
  /** Allows a log that differs from the published log, to repair it. */
  readonly uncompared?: boolean;
  /** Creates a missing folder of the storage, also for a log that was published there. */
  readonly createsStorage?: boolean;
}

/**
 * Defines the action of a command: opens the session, works, waits until the read models are up to
 * date, prints the result. Prints it even if that wait fails, since a key is shown only once. Adds
 * the option `--json`.
 * `Args` and `Options` are the parsed arguments and options of the command.
 */
export function operation<Args extends readonly unknown[], Options extends object>(
  command: Command,
  work: (session: OperatorSession, args: Args, options: Options) => Promise<Report>,
  { onlyReads = false, uncompared = onlyReads, createsStorage = false }: OperationOptions = {},
): void {
  command.option('--json', 'print one JSON object');
  command.action(async (...given: unknown[]) => {
    // commander passes the parsed arguments, then the options and the command itself.
    const args = given.slice(0, -2) as unknown as Args;
    const options = command.opts<Options & { json?: boolean }>();
    await withSession({ uncompared, createsStorage }, async (session) => {
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
  options: Omit<OperationOptions, 'onlyReads'>,
  work: (session: OperatorSession) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(process.env);
  return withOpened(
    (interrupted) => openOperatorSession(config, { ...options, interrupted }),
    work,
  );
}

interface Opened {
  close(): Promise<void>;
}

/** Exit codes of an interrupted command, as a shell states them. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Opens, runs the work, and closes. A signal that ends the program first calls `onSignal`, aborts the
 * opening, and closes what was opened: so an interrupted command stops the PostgreSQL that it started.
 */
export async function withOpened<T extends Opened, Result>(
  open: (interrupted: AbortSignal) => Promise<T>,
  work: (opened: T) => Promise<Result>,
  onSignal: () => void = () => {},
): Promise<Result> {
  const interruption = new AbortController();
  const opening = Promise.resolve().then(() => open(interruption.signal));
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= opening.then((opened) => opened.close(), tellWhatRuns);
    return closing;
  };
  let endingSince: number | null = null;
  const ignoreSignals = hearSignals({
    endingSince: () => endingSince,
    onFirst: (signal) => {
      endingSince = performance.now();
      onSignal();
      interruption.abort();
      close().finally(() => process.exit(exitCodes[signal]));
    },
    codeAtOnce: (signal) => exitCodes[signal],
  });
  try {
    const opened = await opening;
    interruption.signal.throwIfAborted();
    return await work(opened);
  } finally {
    await close();
    // The process ends as the signal says.
    if (interruption.signal.aborted) await new Promise(() => {});
    ignoreSignals();
  }
}

/** An opening that fails has closed what it opened, unless PostgreSQL cannot be stopped. */
function tellWhatRuns(error: unknown): void {
  if (leavesPostgresRunning(error)) process.stderr.write(`${errorMessage(error)}\n`);
}
