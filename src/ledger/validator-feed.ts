import { type Observable, Subject } from 'rxjs';
import { type ChargeBooks, createChargeBooks } from './charge-books.ts';
import { backoffAfterDropMs, policyViolation, requestCharged } from './charged-request.ts';
import { firstUseful } from './first-useful.ts';
import { LedgerUnavailable } from './ledger-unavailable.ts';
import { openServerSocket, type ServerSocket } from './server-socket.ts';
import { serverName } from './server-status.ts';
import { sha512Half } from './sha512-half.ts';

/** A message about validators, as a server sent it: nothing in it is verified. */
export type ValidatorMessage = MessageContent & {
  /** Scheme and host of the server that sent it. */
  readonly server: string;
};

type MessageContent =
  | {
      readonly kind: 'validation';
      /** Serialized validation, hex. */
      readonly data: string;
    }
  | {
      readonly kind: 'manifest';
      /** Serialized manifest, hex. */
      readonly data: string;
    };

/** Messages and answers of several servers about validators and headers. */
export interface ValidatorFeed {
  /** From all servers: a message usually comes once from each. */
  readonly messages: Observable<ValidatorMessage>;
  /** The header (upper-case hex) with this hash. Null if no server has it or answers in time. */
  header(index: number, hash: string): Promise<string | null>;
  /** A manifest for a key (`n…`), base64, that is accepted. Null if no server has one. */
  manifest(key: string, accepts: (manifest: string) => boolean): Promise<string | null>;
  close(): Promise<void>;
}

interface FeedOptions {
  readonly urls: readonly string[];
  /** Accounts of our load on these servers; default new ones. */
  readonly books?: ChargeBooks;
  readonly requestTimeoutMs?: number;
  /** Time without a message after which a connection counts as dead. */
  readonly silenceMs?: number;
  /** Called once until the server sends a message again. */
  readonly onTrouble?: (server: string, reason: string) => void;
}

/** Time after which the next server is asked as well, so that a slow one does not delay a chain. */
const patienceMs = 500;
const minBackoffMs = 200;
const maxBackoffMs = 10_000;

/**
 * Subscribes to the validations and manifests of every server, on connections of its own: they
 * delay no request of the gateway. A lost or silent connection is replaced, without limit.
 */
export function openValidatorFeed(options: FeedOptions): ValidatorFeed {
  const messages = new Subject<ValidatorMessage>();
  const { books = createChargeBooks() } = options;
  let servers = options.urls.map((url) =>
    followServer(url, { ...options, books }, (message) => messages.next(message)),
  );
  /** The first useful answer of a server; a failure is none. */
  const ask = async <Result>(
    command: string,
    fields: object,
    read: (result: unknown) => Result | null,
  ): Promise<Result | null> => {
    const asked = servers;
    const found = await firstUseful(
      asked.map((server) => async () => read(await server.ask(command, fields))),
      patienceMs,
    );
    const quickest = found && asked[found.index];
    // A chain takes many requests: the server that answers soonest gets the next one.
    if (quickest) servers = [quickest, ...servers.filter((other) => other !== quickest)];
    return found?.answer ?? null;
  };
  return {
    messages,
    header: (index, hash) =>
      ask('ledger', { ledger_index: index, binary: true }, (answer) => headerOf(answer, hash)),
    manifest: (key, accepts) =>
      ask('manifest', { public_key: key }, (answer) => {
        const manifest = manifestOf(answer);
        return manifest !== null && accepts(manifest) ? manifest : null;
      }),
    async close() {
      for (const server of servers) server.close();
      messages.complete();
    },
  };
}

interface FollowedServer {
  /** Resolves with the result. Rejects if the server is not connected or does not answer. */
  ask(command: string, fields: object): Promise<unknown>;
  close(): void;
}

function followServer(
  url: string,
  options: FeedOptions & { readonly books: ChargeBooks },
  publish: (message: ValidatorMessage) => void,
): FollowedServer {
  const { requestTimeoutMs = 10_000, silenceMs = 60_000, onTrouble } = options;
  const name = serverName(url);
  const book = options.books(url);
  const abandoned = new AbortController();
  let socket: ServerSocket | null = null;
  let isSubscribed = false;
  let closed = false;
  let isReported = false;
  let backoffMs = minBackoffMs;
  let retryTimer: NodeJS.Timeout | undefined;
  let silenceTimer: NodeJS.Timeout | undefined;

  const ask = (on: ServerSocket, command: string, fields: object): Promise<unknown> =>
    requestCharged(on, { command, fields }, { name, book, abandoned: abandoned.signal });

  const lost = (dead: ServerSocket, reason: string) => {
    if (socket !== dead) return;
    socket = null;
    isSubscribed = false;
    clearTimeout(silenceTimer);
    dead.end();
    if (closed) return;
    if (!isReported) onTrouble?.(name, reason);
    isReported = true;
    retryTimer = setTimeout(connect, backoffMs * (0.75 + Math.random() / 2)).unref();
    backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
  };

  const connect = () => {
    const heard = () => {
      clearTimeout(silenceTimer);
      const why = `no message about validators for ${silenceMs} ms`;
      silenceTimer = setTimeout(() => lost(next, why), silenceMs).unref();
    };
    const next = openServerSocket(
      url,
      { timeoutMs: requestTimeoutMs },
      {
        onLedgerClosed: () => {},
        onClosed(code) {
          if (code === policyViolation && socket === next) {
            book.refused('dropped');
            backoffMs = Math.max(backoffMs, backoffAfterDropMs);
          }
          lost(next, `connection closed with code ${code}`);
        },
        onMessage(message) {
          heard();
          const read = readMessage(message);
          if (read === null) return;
          isReported = false;
          publish({ ...read, server: name });
        },
      },
    );
    socket = next;
    subscribe(next).then(
      () => {
        isSubscribed = true;
        backoffMs = minBackoffMs;
        heard();
      },
      (error) => lost(next, error instanceof Error ? error.message : String(error)),
    );
  };

  const subscribe = async (to: ServerSocket) => {
    await to.opened;
    await ask(to, 'subscribe', { streams: ['validations', 'manifests'] });
  };

  connect();
  return {
    async ask(command, fields) {
      if (socket === null || !isSubscribed) throw new LedgerUnavailable(`${name} is not connected`);
      return ask(socket, command, fields);
    },
    close() {
      closed = true;
      abandoned.abort();
      clearTimeout(retryTimer);
      if (socket !== null) lost(socket, 'closed');
    },
  };
}

const hex = /^(?:[0-9A-Fa-f]{2}){1,8192}$/;

function readMessage({ type, data, manifest }: Readonly<Record<string, unknown>>) {
  if (type === 'validationReceived' && typeof data === 'string' && hex.test(data)) {
    return { kind: 'validation', data } as const;
  }
  if (type === 'manifestReceived' && typeof manifest === 'string' && hex.test(manifest)) {
    return { kind: 'manifest', data: manifest } as const;
  }
  return null;
}

function headerOf(answer: unknown, hash: string): string | null {
  const { ledger } = (answer ?? {}) as { ledger?: { ledger_data?: unknown } };
  const data = ledger?.ledger_data;
  if (typeof data !== 'string' || !hex.test(data)) return null;
  const computed = sha512Half('ledger', Buffer.from(data, 'hex')).toString('hex');
  return computed.toUpperCase() === hash ? data.toUpperCase() : null;
}

function manifestOf(answer: unknown): string | null {
  const { manifest } = (answer ?? {}) as { manifest?: unknown };
  return typeof manifest === 'string' ? manifest : null;
}
