/** Whether a classification's run id can be that of a run: 1 to 128 characters, without NUL. */
export function isRunId(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.includes('\0')) return false;
  return value.length <= 128 || (value.length <= 256 && [...value].length <= 128);
}
