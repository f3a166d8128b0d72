import { LedgerUnavailable } from './ledger-unavailable.ts';
import type { ServerAnswer } from './server-socket.ts';

/** The server answered the request with an error (`code`, such as txnNotFound). */
export class ServerRefused extends Error {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: string, data: Readonly<Record<string, unknown>>) {
    super(`the ledger server answers ${code}`);
    this.name = 'ServerRefused';
    this.code = code;
    this.data = data;
  }
}

/** Result of `ask`; null if the server refuses its request with this code. */
export async function nullIfRefused<Result>(
  code: string,
  ask: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ServerRefused && error.code === code) return null;
    throw error;
  }
}

/** The server got too many requests from us: equivalent to closing the connection with 1008. */
export class ServerBusy extends LedgerUnavailable {
  constructor(code: string) {
    super(`the ledger server answers ${code}`);
  }
}

/** The server does not know an amendment that is active: it cannot serve until it is upgraded. */
export class ServerBlocked extends LedgerUnavailable {
  constructor(code: string) {
    super(`the ledger server answers ${code}`);
  }
}

/** Error for an error answer of the server; null for any other answer. */
export function refusalOf(answer: ServerAnswer): ServerRefused | LedgerUnavailable | null {
  if (answer.status === 'success') return null;
  const code = answer.error ?? 'unknown';
  if (code === 'slowDown') return new ServerBusy(code);
  if (code === 'amendmentBlocked') return new ServerBlocked(code);
  // The server is up but cannot serve now: treated like no answer.
  return unable.has(code)
    ? new LedgerUnavailable(`the ledger server answers ${code}`)
    : new ServerRefused(code, { ...answer });
}

/** With `api_version` 2 rippled answers notSynced instead of noNetwork, noCurrent and noClosed. */
const unable = new Set([
  ...['tooBusy', 'notSynced', 'noNetwork', 'noCurrent', 'noClosed', 'notReady'],
  'unlBlocked',
]);
