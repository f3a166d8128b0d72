import { lookup, Resolver } from 'node:dns/promises';

/** The addresses of a host name, at least one. Rejects with `NameNotResolved`. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** The name has no address, or no name server answered in time. */
export class NameNotResolved extends Error {
  constructor(host: string, options?: ErrorOptions) {
    super(`${host} does not resolve`, options);
    this.name = 'NameNotResolved';
  }
}

const timeoutMs = 2_000;
const tries = 2;

/**
 * Asks the name servers directly. `getaddrinfo` would block one of a few threads while a name
 * server is silent, and so one endpoint would delay all others.
 */
export async function resolveByNameServers(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const cause = answers.find((answer) => answer.status === 'rejected')?.reason;
  throw new NameNotResolved(host, { cause });
}

/** Resolves as every program of the machine does, including its hosts file: for development. */
export async function resolveBySystem(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (cause) {
    throw new NameNotResolved(host, { cause });
  }
}
