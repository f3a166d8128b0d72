import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { type ArrivalLimits, boundArrival } from './arrival.ts';
import { answerBrokenConnections, BodyTooSlow } from './broken-connections.ts';
import { boundDeparture, type DepartureLimits } from './departure.ts';
import { InFlight } from './in-flight.ts';
import type { RequestState } from './request-state.ts';

/** Bounds on slow and greedy clients; the defaults suit a server behind a load balancer. */
export interface ServerLimits extends ArrivalLimits, DepartureLimits {
  /** From the connection, or the answer before, until the headers are there. */
  readonly headersTimeoutMs: number;
  /** How long an idle connection is kept; longer than load balancers keep theirs. */
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** What is left of a body when the answer is out is taken in for so long. */
  readonly lingerMs: number;
}

export const defaultServerLimits: ServerLimits = {
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
   * Stops accepting, closes every connection on which no call is under way, and lets the others be
   * answered, `timeoutMs` (default 8,000) at most; abort `draining` first, so that waits end and
   * answers close their connections. When it resolves no handler runs any more, or time was up.
   */
  stop(timeoutMs?: number): Promise<void>;
}

const defaultStopMs = 8_000;

/** Serves the app. Resolves when it listens; port 0 is any free one. Rejects if it cannot listen. */
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
      // Ours, since uploads may take longer than other bodies.
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
  // Whoever waits for "100 Continue" is told by the route, once the caller is known to be permitted.
  server.on('checkContinue', listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  boundDeparture(server, sockets, inFlight, limits);
  answerBrokenConnections(server, inFlight, options);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop(timeoutMs = defaultStopMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
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
 * An answer may be out before the body is in, such as a 401 to an upload. Node reads the rest, so
 * that the client gets to see the answer; a client that has not finished by then is cut off.
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
