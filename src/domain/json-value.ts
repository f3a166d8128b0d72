/** A fault of a JSON value, with its path. */
export interface JsonFault {
  /** Names and indexes that lead to the faulty value; empty for the whole value. */
  readonly path: readonly (string | number)[];
  readonly why: string;
}

/** Maximum nesting: deeper values could exhaust their readers. */
export const maxDepth = 64;

/**
 * Finds content that the service cannot keep in a JSON value of unknown form, also in members'
 * names. Faults are NUL, lone surrogates, infinite numbers, nesting beyond `maxDepth`, and more
 * than `maxBytes` (as compact JSON in UTF-8). Returns null if there is none.
 */
export function findFault(value: unknown, maxBytes: number): JsonFault | null {
  return findFaultBelow(value, 0) ?? findExcess(value, maxBytes);
}

function findFaultBelow(value: unknown, depth: number): JsonFault | null {
  if (typeof value === 'string') return findTextFault(value);
  // JSON.parse returns infinity for a number that is too large, and JSON cannot represent infinity.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path: [], why: 'must not contain numbers outside the range of a double' };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= maxDepth) return tooDeep;
  if (Array.isArray(value)) return findInList(value, depth);
  for (const name of Object.keys(value)) {
    const fault =
      findTextFault(name) ?? findFaultBelow((value as Record<string, unknown>)[name], depth + 1);
    if (fault !== null) return prefixFault(name, fault);
  }
  return null;
}

function findInList(list: readonly unknown[], depth: number): JsonFault | null {
  for (const [index, member] of list.entries()) {
    const fault = findFaultBelow(member, depth + 1);
    if (fault !== null) return prefixFault(index, fault);
  }
  return null;
}

function findExcess(value: unknown, maxBytes: number): JsonFault | null {
  if (Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return null;
  return { path: [], why: `must have at most ${maxBytes} bytes as JSON` };
}

function findTextFault(text: string): JsonFault | null {
  if (text.includes('\0')) return { path: [], why: 'must not contain NUL' };
  return text.isWellFormed() ? null : { path: [], why: 'must not contain a lone surrogate' };
}

const tooDeep: JsonFault = { path: [], why: `must not be nested deeper than ${maxDepth} levels` };

/**
 * Adds a name or index to a fault's path. Names come from the caller and may be long, so they are
 * cut to 64 characters and the path to 3 steps.
 */
export function prefixFault(name: string | number, { path, why }: JsonFault): JsonFault {
  const shortened = typeof name === 'string' ? name.slice(0, 64).toWellFormed() : name;
  return { path: [shortened, ...path].slice(0, 3), why };
}

/** Path of the fault as callers read it, such as `decisions.3.subject`. */
export function formatPath({ path }: JsonFault): string {
  return path.join('.');
}
