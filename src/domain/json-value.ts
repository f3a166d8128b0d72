/** What is wrong with a value, and where in it. */
export interface Fault {
  /** Names and indexes on the way to it; empty for the value itself. */
  readonly path: readonly (string | number)[];
  readonly why: string;
}

/** Deeper ones are made to exhaust whoever reads them. */
export const maxDepth = 64;

/**
 * Looks for what the service cannot keep of a JSON value that it does not know the form of, in
 * members' names too: NUL, lone surrogates, infinite numbers, and more than so many levels or bytes
 * (as compact JSON in UTF-8). Null if there is nothing.
 */
export function findFault(value: unknown, maxBytes: number): Fault | null {
  return findFaultBelow(value, 0) ?? findExcess(value, maxBytes);
}

function findFaultBelow(value: unknown, depth: number): Fault | null {
  if (typeof value === 'string') return findTextFault(value);
  // JSON.parse makes it of a number that is too large, and no JSON could be made of it again.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { path: [], why: 'must not contain numbers out of range' };
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= maxDepth) return tooDeep;
  if (Array.isArray(value)) return findInList(value, depth);
  for (const name of Object.keys(value)) {
    const fault =
      findTextFault(name) ?? findFaultBelow((value as Record<string, unknown>)[name], depth + 1);
    if (fault !== null) return faultWithin(name, fault);
  }
  return null;
}

function findInList(list: readonly unknown[], depth: number): Fault | null {
  for (const [index, member] of list.entries()) {
    const fault = findFaultBelow(member, depth + 1);
    if (fault !== null) return faultWithin(index, fault);
  }
  return null;
}

function findExcess(value: unknown, maxBytes: number): Fault | null {
  if (Buffer.byteLength(JSON.stringify(value)) <= maxBytes) return null;
  return { path: [], why: `must have at most ${maxBytes} bytes as JSON` };
}

function findTextFault(text: string): Fault | null {
  if (text.includes('\0')) return { path: [], why: 'must not contain NUL' };
  return text.isWellFormed() ? null : { path: [], why: 'must not contain a lone surrogate' };
}

const tooDeep: Fault = { path: [], why: `must not be nested deeper than ${maxDepth} levels` };

/** Names are the caller's own, of any length: what is told of the way is enough to find it. */
export function faultWithin(name: string | number, { path, why }: Fault): Fault {
  const told = typeof name === 'string' ? name.slice(0, 64).toWellFormed() : name;
  return { path: [told, ...path].slice(0, 3), why };
}

/** The way to it as callers read it, such as `decisions.3.subject`. */
export function nameOf({ path }: Fault): string {
  return path.join('.');
}
