import { once } from 'node:events';
import { createServer, STATUS_CODES } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';

/** Maximum request size in bytes, as in rippled; a larger one closes the connection. */
const maxPayload = 1_000_000;

/** Compression of every message to a client that offers it, as in rippled (Port.cpp). */
const perMessageDeflate = { threshold: 0, zlibDeflateOptions: { level: 8, memLevel: 4 } };

interface Listening {
  readonly port: number;
  /** Accepts connections from now on; cuts earlier ones. `pages` are JSON texts, by path. */
  serve(onConnection: (socket: WebSocket) => void, pages: ReadonlyMap<string, () => string>): void;
  /** Stops listening and cuts every connection. */
  stop(): Promise<void>;
}

/** Listens for WebSocket connections and requests of pages. Rejects with system errors such as EADDRINUSE. */
export async function listen(host: string, port: number): Promise<Listening> {
  let served: ReadonlyMap<string, () => string> = new Map();
  const http = createServer((request, response) => {
    const page = request.method === 'GET' ? served.get(request.url ?? '') : undefined;
    const status = page === undefined ? 426 : 200;
    const type = page === undefined ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'Content-Type': type, Connection: 'close' });
    response.end(page?.() ?? STATUS_CODES[status]);
  });
  const server = new WebSocketServer({ server: http, maxPayload, perMessageDeflate });
  // The WebSocket server repeats errors of the HTTP server, which `once` reports.
  server.on('error', () => {});
  http.listen(port, host);
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    port: address.port,
    serve(onConnection, pages) {
      served = pages;
      for (const early of server.clients) early.terminate();
      server.on('connection', onConnection);
    },
    async stop() {
      const closed = new Promise<void>((resolve) => {
        server.close();
        http.close(() => resolve());
      });
      for (const client of server.clients) client.terminate();
      http.closeAllConnections();
      await closed;
    },
  };
}
