/** An error for the log, without the properties that drivers add, which quote values. */
export function loggable(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'something that is no error was thrown' };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? { code: String(error.code) } : {};
  return { type: name, message, stack, ...code, ...(cause ? { cause: loggable(cause) } : {}) };
}
