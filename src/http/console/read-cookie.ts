/** The first cookie of this name with a value that has the right form; null if there is none. */
export function readCookie(
  header: string | undefined,
  wanted: string,
  hasForm: (value: string) => boolean,
): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=');
    if (name === wanted && hasForm(value)) return value;
  }
  return null;
}
