declare const runIdBrand: unique symbol;

/** An agent's own id of a sweep: 1–128 characters (code points). */
export type RunId = string & { readonly [runIdBrand]: true };

export const maxRunIdCharacters = 128;

export function isRunId(value: unknown): value is RunId {
  if (typeof value !== 'string' || value.length > 2 * maxRunIdCharacters) return false;
  const { length } = [...value];
  return length >= 1 && length <= maxRunIdCharacters;
}
