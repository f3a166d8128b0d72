import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { checkUrl, hostOf, privateHost } from './check-url.ts';
import { AddressNotAllowed, type CheckAddress, lookupOf } from './checked-lookup.ts';
import type {
  EndpointRules,
  WebhookAnswer,
  WebhookRequest,
  WebhookSender,
  WebhookTrouble,
} from './contract.ts';
import { isPublicAddress } from './public-address.ts';
import { type ResolveHost, resolveByNameServers, resolveBySystem } from './resolve-host.ts';
import { troubleOf } from './trouble.ts';

export interface SenderOptions {
  readonly rules: EndpointRules;
  /** For one attempt, from the name's look-up to the end of the answer. */
  readonly timeoutMs?: number;
  readonly resolve?: ResolveHost;
  /** Replaces the rules for addresses. */
  readonly isAllowed?: CheckAddress;
  /** Certificates (PEM) to trust instead of the system's. */
  readonly ca?: string;
}

const maxAnswerBytes = 65_536;
/** Shorter than the usual idle timeout of servers. */
const keepIdleMs = 4_000;
const checkMs = 3_000;

/**
 * Sends over HTTP/1.1 with connections that are kept for the next delivery. Every connection goes
 * to an address that was just resolved and checked, under the name of the URL (SNI, Host and
 * certificate). Its peer is checked again before a byte is sent.
 */
export function createHttpsSender(options: SenderOptions): WebhookSender {
  const { rules, timeoutMs = 15_000, ca } = options;
  const resolve = options.resolve ?? (rules.allowPrivate ? resolveBySystem : resolveByNameServers);
  const ruled: CheckAddress = (address) => rules.allowPrivate || isPublicAddress(address);
  const { isAllowed = ruled } = options;
  const lookup = lookupOf(resolve, isAllowed);
  const settings = { keepAlive: true, timeout: keepIdleMs, lookup, autoSelectFamily: true };
  const agents = {
    'http:': guarded(new http.Agent(settings), isAllowed),
    'https:': guarded(
      new https.Agent(ca === undefined ? settings : { ...settings, ca }),
      isAllowed,
    ),
  };
  const exchange = (request: WebhookRequest, signal: AbortSignal) => {
    const url = new URL(request.url);
    const { request: start } = url.protocol === 'https:' ? https : http;
    const agent = agents[url.protocol === 'https:' ? 'https:' : 'http:'];
    return new Promise<http.IncomingMessage>((resolved, reject) => {
      const sent = start(url, { method: 'POST', agent, headers: request.headers, signal });
      sent.on('response', resolved);
      sent.on('error', (error) =>
        reject(isStale(sent, error) ? new StaleConnection(error) : error),
      );
      // An unrequested answer 101 emits neither `response` nor `error`.
      sent.on('close', () => reject(new Error('closed without an answer')));
      sent.end(request.body);
    });
  };
  /** Retries if a kept connection broke: the server was closing it, so the endpoint may be fine. */
  const exchangeAfresh = (
    request: WebhookRequest,
    signal: AbortSignal,
  ): Promise<http.IncomingMessage> =>
    exchange(request, signal).catch((error: unknown) => {
      if (!(error instanceof StaleConnection) || signal.aborted) throw error;
      return exchangeAfresh(request, signal);
    });

  return {
    async send(request, cancelled) {
      const startedAt = performance.now();
      const answerOf = (rest: Omit<WebhookAnswer, 'durationMs'>): WebhookAnswer => ({
        ...rest,
        durationMs: Math.round(performance.now() - startedAt),
      });
      const problem = checkUrl(request.url, rules);
      if (problem !== null) {
        const error = problem === privateHost ? 'address not allowed' : 'url not allowed';
        return answerOf({ status: null, error, retryAfter: undefined });
      }
      const ends = endings(timeoutMs, cancelled);
      try {
        const response = await exchangeAfresh(request, ends.signal);
        await readToEnd(response);
        const status = response.statusCode ?? 0;
        return answerOf({ status, error: null, retryAfter: response.headers['retry-after'] });
      } catch (error) {
        const trouble = ends.trouble() ?? troubleOf(error);
        return answerOf({ status: null, error: trouble, retryAfter: undefined });
      } finally {
        ends.over();
      }
    },

    async checkUrl(text) {
      const problem = checkUrl(text, rules);
      if (problem !== null) return problem;
      const host = hostOf(new URL(text));
      if (isIP(host) !== 0) return null;
      const soon = delay(checkMs, [], { ref: false });
      const found = await Promise.race([resolve(host).catch(() => []), soon]);
      return found.every(isAllowed) ? null : privateHost;
    },

    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** Ends an attempt on timeout or cancellation. Unlike combined signals, nothing outlives `over`. */
function endings(timeoutMs: number, cancelled: AbortSignal) {
  const controller = new AbortController();
  let trouble: WebhookTrouble | null = null;
  const end = (why: WebhookTrouble) => {
    trouble ??= why;
    controller.abort();
  };
  const cancel = () => end('cancelled');
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  cancelled.addEventListener('abort', cancel, { once: true });
  if (cancelled.aborted) cancel();
  return {
    signal: controller.signal,
    trouble: () => trouble,
    over() {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', cancel);
    },
  };
}

/** A reused connection broke under the request. */
class StaleConnection extends Error {
  constructor(cause: Error) {
    super('a kept-alive connection broke', { cause });
  }
}

/** True if a reused connection was reset before an answer. */
function isStale({ reusedSocket }: http.ClientRequest, error: NodeJS.ErrnoException): boolean {
  return reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Destroys a connection to a disallowed peer before anything is sent to it. */
function guarded<Agent extends http.Agent>(agent: Agent, isAllowed: CheckAddress): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    // First in line, before the TLS handshake begins or a waiting request is written.
    socket?.prependOnceListener('connect', () => {
      const { remoteAddress = '' } = socket as Socket;
      if (!isAllowed(remoteAddress)) socket.destroy(new AddressNotAllowed(remoteAddress));
    });
    return socket;
  };
  return agent;
}

/** Reads an answer until it ends, breaks or grows too long: only its status counts. */
function readToEnd(answer: http.IncomingMessage): Promise<void> {
  return new Promise((resolved) => {
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) answer.destroy();
    });
    answer.on('error', () => {});
    answer.on('close', resolved);
  });
}
