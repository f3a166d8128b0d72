import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { answerBrokenConnections, BodyTooSlow } from './connections/broken-connections.ts';
import { boundDeparture, type DepartureLimits } from './connections/departure.ts';
import { InFlight } from './connections/in-flight.ts';
import { listenOnPort } from './connections/listening.ts';
import { type ArrivalLimits, boundArrival } from './receiving/arrival.ts';
import type { RequestState } from './request-state.ts';

/** Limits for slow and greedy clients; the defaults suit a server behind a load balancer. */
export interface ServerLimits extends ArrivalLimits, DepartureLimits {
  /** Maximum time from the connection, or the previous answer, to the complete headers. */
  readonly headersTimeoutMs: number;
  /** Maximum idle time of a connection; longer than in load balancers. */
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Maximum time to receive the rest of a body after the answer. */
  readonly lingerMs: number;
}

const defaultServerLimits: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  uploadIdleMs: 30_000,
  uploadBytesPerSecond: 16_384,
  downloadIdleMs: 30_000,
  answerTimeoutMs: 60_000,
  downloadBytesPerSecond: 16_384,
  keepAliveTimeoutMs: 65_000,
  checkIntervalMs: 1_000,
  maxHeaderBytes: 16_384,
  lingerMs: 5_000,
};

export interface HttpServer {
  readonly port: number;
  /**
   * Stops accepting connections, and closes those without a call under way. Waits at most
   * `timeoutMs` (default 8,000) for the other calls. Abort `draining` first, so that waits end and
   * answers close their connections. Resolves when no handler is running, or after `timeoutMs`.
   */
  stop(timeoutMs?: number): Promise<void>;
}

const defaultStopMs = 8_000;

/**
 * Serves the app. Resolves when the server listens; rejects if it cannot. Port 0 selects any free
 * port.
 */
export async function startServer(
  app: Koa<RequestState>,
  options: {
    readonly host: string;
    readonly port: number;
    readonly log: Logger;
    readonly newId: () => string;
    /** As in `Services`. */
    readonly https?: boolean;
    readonly limits?: Partial<ServerLimits>;
  },
): Promise<HttpServer> {
  const limits = { ...defaultServerLimits, ...options.limits };
  const inFlight = new InFlight();
  const handle = app.callback();
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    inFlight.add(req.socket, res, handle(req, res));
    boundArrival(req, res, limits, () => {
      server.emit('clientError', new BodyTooSlow(req.url ?? ''), req.socket);
    });
    boundRest(req, res, inFlight, limits.lingerMs);
  };
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      // Replaced by `boundArrival`, since uploads may take longer than other bodies.
      requestTimeout: 0,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      maxHeaderSize: limits.maxHeaderBytes,
      // The app answers with an error body; node would send none.
      requireHostHeader: false,
    },
    listener,
  );
  server.on('checkExpectation', listener);
  // The route sends "100 Continue", once the caller is known to be permitted.
  server.on('checkContinue', listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  boundDeparture(server, sockets, inFlight, limits);
  answerBrokenConnections(server, inFlight, options);
  const listening = await listenOnPort(server, options);
  return {
    port: listening.port,
    async stop(timeoutMs = defaultStopMs) {
      const closed = listening.close();
      for (const socket of sockets) if (!inFlight.isBusy(socket)) socket.destroy();
      const over = new AbortController();
      const timeUp = delay(timeoutMs, undefined, { signal: over.signal }).catch(() => {});
      await Promise.race([Promise.all([closed, inFlight.none()]), timeUp]);
      over.abort();
      server.closeAllConnections();
    },
  };
}

/**
 * Limits the rest of a body after an early answer, such as a 401 to an upload. Node reads the rest,
 * so that the client receives the answer. A client that has not finished after `lingerMs` is cut
 * off.
 */
function boundRest(
  req: IncomingMessage,
  res: ServerResponse,
  inFlight: InFlight,
  lingerMs: number,
): void {
  res.once('finish', () => {
    if (req.complete) return;
    inFlight.linger(req);
    setTimeout(() => req.complete || req.socket.destroy(), lingerMs).unref();
  });
}
