/** What is to be undone, in the reverse order, however the benchmark ends. */
export type CleanUp = Pick<AsyncDisposableStack, 'defer'>;

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs the work and then what it deferred, also when it fails or is interrupted. */
export async function withCleanUp<Result>(
  work: (cleanUp: CleanUp) => Promise<Result>,
): Promise<Result> {
  const stack = new AsyncDisposableStack();
  let interrupted = false;
  const handlers = Object.entries(exitCodes).map(([signal, exitCode]) => {
    const handle = () => {
      interrupted = true;
      // The work goes on while the ground is taken from under it.
      process.on('uncaughtException', () => {});
      stack.disposeAsync().finally(() => process.exit(exitCode));
    };
    process.once(signal, handle);
    return () => process.off(signal, handle);
  });
  try {
    return await work(stack);
  } finally {
    // Whatever the abandoned work came to: the handler ends the process.
    if (interrupted) await new Promise(() => {});
    await stack.disposeAsync();
    for (const remove of handlers) remove();
  }
}
