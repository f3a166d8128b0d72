import canonicalize from 'canonicalize';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a JSON object in canonical form (RFC 8785); null for any other text. */
export function parseCanonical(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && isCanonical(value, text) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Takes the fast way for almost all texts: V8 writes the same text again, and all keys are in
 * order. V8 escapes lone surrogates, which RFC 8785 forbids, so a text with one takes the other way.
 */
function isCanonical(value: object, text: string): boolean {
  const isFast = !text.includes('\\ud') && JSON.stringify(value) === text && hasOrder(value);
  return isFast || canonicalize(value) === text;
}

/** True if the keys of all objects are in the order of their UTF-16 code units. */
function hasOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(hasOrder);
  let previous = '';
  for (const key of Object.keys(value)) {
    if (key < previous) return false;
    previous = key;
    if (!hasOrder((value as JsonObject)[key])) return false;
  }
  return true;
}
