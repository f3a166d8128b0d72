declare const runIdBrand: unique symbol;

/** What an agent calls one of its sweeps: 1–128 characters (code points) of its own choice. */
export type RunId = string & { readonly [runIdBrand]: true };

export const maxRunIdCharacters = 128;

export function isRunId(value: unknown): value is RunId {
  if (typeof value !== 'string' || value.length > 2 * maxRunIdCharacters) return false;
  const { length } = [...value];
  return length >= 1 && length <= maxRunIdCharacters;
}
