import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Deferred clean-up, run in reverse order however the benchmark ends. */
export type CleanUp = Pick<AsyncDisposableStack, 'defer'>;

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs the work and then its deferred clean-up, also after a failure or an interruption. */
export async function withCleanUp<Result>(
  work: (cleanUp: CleanUp) => Promise<Result>,
): Promise<Result> {
  const stack = new AsyncDisposableStack();
  let interrupted = false;
  const handlers = Object.entries(exitCodes).map(([signal, exitCode]) => {
    const handle = () => {
      interrupted = true;
      // The abandoned work may fail during the clean-up.
      process.on('uncaughtException', () => {});
      stack.disposeAsync().finally(() => process.exit(exitCode));
    };
    process.once(signal, handle);
    return () => process.off(signal, handle);
  });
  try {
    return await work(stack);
  } finally {
    // Ignore the result of the abandoned work: the signal handler ends the process.
    if (interrupted) await new Promise(() => {});
    await stack.disposeAsync();
    for (const remove of handlers) remove();
  }
}

/**
 * Path for a new DATA_DIR, in its own folder below the system's temporary folder. Set TMPDIR to use
 * the disk to be measured.
 */
export async function createBenchFolder(cleanUp: CleanUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofmark-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  // PostgreSQL does not run as root: its user must be able to enter the folder.
  await chmod(folder, 0o755);
  return join(folder, 'data');
}
