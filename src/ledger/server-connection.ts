import { BehaviorSubject, type Observable } from 'rxjs';
import { Client, RippledError } from 'xrpl';
import type { LedgerTip } from './contract.ts';
import { LedgerUnavailable } from './ledger-unavailable.ts';

/** What one server of a network is good for now. */
export type ServerStatus =
  | { readonly state: 'connecting' | 'lost'; readonly reason: string }
  | { readonly state: 'refused'; readonly reason: string }
  | {
      readonly state: 'ready';
      readonly networkId: number;
      /** Counts the connections made to this server. */
      readonly connection: number;
      readonly standalone: boolean;
      readonly tip: LedgerTip;
      readonly baseFeeDrops: number;
      readonly openLedgerFeeDrops: number;
    };

/** The server answered the request with an error of its own (`code`, such as txnNotFound). */
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

/** A connection that keeps itself alive: dead or silent ones are replaced, for ever. */
export interface ServerConnection {
  /** Scheme and host of its URL; the rest may hold credentials. */
  readonly name: string;
  readonly status: Observable<ServerStatus>;
  current(): ServerStatus;
  /** Rejects with `ServerRefused`, or with `LedgerUnavailable` if no answer came. */
  request<Result>(command: string, fields?: object): Promise<Result>;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly url: string;
  /** Another `network_id` is refused: what is anchored on a wrong network is permanent. */
  readonly networkId: number;
  /** Without a validated ledger for this long the connection counts as dead. */
  readonly silenceMs?: number;
  readonly requestTimeoutMs?: number;
  readonly onTrouble?: (server: string, reason: string) => void;
  /** The server is of another network, or does not tell of which; heard for every attempt. */
  readonly onRefused?: (server: string, reason: string) => void;
}

const minBackoffMs = 100;
const maxBackoffMs = 5_000;

/** Opens a supervised connection to one server; it connects in the background. */
export function superviseServer(options: ServerOptions): ServerConnection {
  const { url, networkId, silenceMs = 20_000, requestTimeoutMs = 10_000 } = options;
  const { onTrouble, onRefused } = options;
  const name = nameOf(url);
  const status = new BehaviorSubject<ServerStatus>({ state: 'connecting', reason: 'starting' });
  let client: Client | null = null;
  let abandoned = new AbortController();
  let connections = 0;
  let closed = false;
  let backoffMs = minBackoffMs;
  let retryTimer: NodeJS.Timeout | undefined;
  let silenceTimer: NodeJS.Timeout | undefined;

  const drop = (dead: Client, next: Extract<ServerStatus, { reason: string }>) => {
    if (client !== dead) return;
    client = null;
    clearTimeout(silenceTimer);
    abandoned.abort();
    abandon(dead);
    status.next(next);
    if (next.state === 'refused') onRefused?.(name, next.reason);
    else onTrouble?.(name, next.reason);
    if (closed) return;
    retryTimer = setTimeout(connect, backoffMs * (0.75 + Math.random() / 2));
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  };
  const lost = (dead: Client, reason: string) => drop(dead, { state: 'lost', reason });

  const ask = async <Result>(asked: Client, command: string, fields: object = {}) => {
    try {
      // The client's types know each command apart; here any command passes through.
      const request = { command, api_version: 2, ...fields } as never;
      const answer = until(abandoned.signal, asked.request(request));
      return ((await answer) as unknown as { result: Result }).result;
    } catch (cause) {
      const refused = refusalOf(cause);
      if (refused) throw refused;
      throw new LedgerUnavailable(`${name} does not answer ${command}`, { cause });
    }
  };

  const heard = (from: Client) => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => lost(from, `no ledger for ${silenceMs} ms`), silenceMs);
  };

  /** A new validated ledger is told at once, what transactions cost now as soon as it is known. */
  const advance = async (from: Client, tip: LedgerTip) => {
    const before = status.value;
    if (before.state !== 'ready' || tip.index <= before.tip.index) return;
    status.next({ ...before, tip });
    const { info } = await ask<ServerInfo>(from, 'server_info');
    const present = status.value;
    if (client === from && present.state === 'ready') status.next({ ...present, ...feesOf(info) });
  };

  const open = async (next: Client) => {
    // Not the client's own connect: that asks for server_info too, and prints when it is refused.
    await next.connection.connect();
    const { info } = await ask<ServerInfo>(next, 'server_info');
    if (info.network_id !== networkId) {
      const reason =
        info.network_id === undefined
          ? `it does not tell its network_id, which must be ${networkId}: configure [network_id] there`
          : `it serves network_id ${info.network_id}, the configured network is ${networkId}`;
      drop(next, { state: 'refused', reason });
      return;
    }
    const tip = await ask<Subscribed>(next, 'subscribe', { streams: ['ledger'] });
    if (tip.ledger_index === undefined || tip.ledger_hash === undefined) {
      throw new LedgerUnavailable(`${name} has no validated ledger yet`);
    }
    if (client !== next) return;
    backoffMs = minBackoffMs;
    heard(next);
    connections += 1;
    status.next({
      state: 'ready',
      networkId,
      connection: connections,
      standalone: info.build_version.startsWith('proofmark'),
      tip: { index: tip.ledger_index, hash: tip.ledger_hash },
      ...feesOf(info),
    });
  };

  const connect = () => {
    const next = new Client(url, {
      timeout: requestTimeoutMs,
      connectionTimeout: requestTimeoutMs,
    });
    client = next;
    abandoned = new AbortController();
    next.on('error', () => {});
    next.on('disconnected', (code) => lost(next, `connection closed with code ${code}`));
    next.on('ledgerClosed', ({ ledger_index: index, ledger_hash: hash }) => {
      const present = status.value;
      if (present.state === 'ready' && index <= present.tip.index && hash !== present.tip.hash) {
        // The chain went back or changed: whoever uses it has to look at it afresh.
        lost(next, `validated ledger ${index} after ${present.tip.index}`);
        return;
      }
      heard(next);
      advance(next, { index, hash }).catch(() => {});
    });
    open(next).catch((error) => lost(next, reasonOf(error)));
  };

  connect();
  return {
    name,
    status,
    current: () => status.value,
    request(command, fields) {
      if (client === null || status.value.state !== 'ready') {
        return Promise.reject(new LedgerUnavailable(`${name} is not connected`));
      }
      return ask(client, command, fields);
    },
    async close() {
      closed = true;
      clearTimeout(retryTimer);
      clearTimeout(silenceTimer);
      const last = client;
      client = null;
      abandoned.abort();
      if (last) abandon(last);
      status.next({ state: 'lost', reason: 'closed' });
      status.complete();
    },
  };
}

interface ServerInfo {
  readonly info: {
    readonly network_id?: number;
    readonly build_version: string;
    readonly load_factor?: number;
    readonly validated_ledger?: { readonly base_fee_xrp: number };
  };
}

/**
 * What a transaction must pay now: the base fee times the load factor, which is the larger of the
 * server's own load and the open ledger's escalation (xrpl.org, server_info).
 */
function feesOf({ load_factor: loadFactor = 1, validated_ledger: ledger }: ServerInfo['info']) {
  const baseFeeDrops = Math.round((ledger?.base_fee_xrp ?? defaultBaseFeeXrp) * dropsPerXrp);
  return { baseFeeDrops, openLedgerFeeDrops: Math.ceil(baseFeeDrops * loadFactor) };
}

const defaultBaseFeeXrp = 0.00001;
const dropsPerXrp = 1_000_000;

interface Subscribed {
  readonly ledger_index?: number;
  readonly ledger_hash?: string;
}

/** Scheme and host alone: path, query and user of a URL may hold credentials. */
function nameOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** The answer, unless the connection it was asked on is given up first. */
async function until<Answer>(given: AbortSignal, answer: Promise<Answer>): Promise<Answer> {
  let stop = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('the connection was given up'));
    if (given.aborted) stop();
    given.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, abandoned]);
  } finally {
    given.removeEventListener('abort', stop);
    // Whichever of the two comes later is nobody's concern any more.
    answer.catch(() => {});
    abandoned.catch(() => {});
  }
}

/** Lets go of a client. Its own timer for reconnecting starts after the event, so it is ended later. */
function abandon(client: Client): void {
  client.removeAllListeners();
  client.on('error', () => {});
  const end = () => client.disconnect().catch(() => {});
  setImmediate(end);
}

function refusalOf(error: unknown): Error | null {
  if (!(error instanceof RippledError)) return null;
  const data = (error.data ?? {}) as Record<string, unknown>;
  const code = String(data.error ?? 'unknown');
  // The server is there but cannot serve now: as good as no answer.
  return busy.has(code)
    ? new LedgerUnavailable(`the server answers ${code}`)
    : new ServerRefused(code, data);
}

const busy = new Set([
  'slowDown',
  'tooBusy',
  'noNetwork',
  'noCurrent',
  'noClosed',
  'notReady',
  'amendmentBlocked',
]);

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
