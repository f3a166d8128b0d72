import { once } from 'node:events';
import { type WebSocket, WebSocketServer } from 'ws';

/** Maximum request size in bytes, as in rippled; a larger one closes the connection. */
const maxPayload = 1_000_000;

interface Listening {
  readonly port: number;
  /** Accepts connections from now on; cuts earlier ones. */
  serve(onConnection: (socket: WebSocket) => void): void;
  /** Stops listening and cuts every connection. */
  stop(): Promise<void>;
}

/** Listens for WebSocket connections. Rejects with system errors such as EADDRINUSE. */
export async function listen(host: string, port: number): Promise<Listening> {
  const server = new WebSocketServer({ host, port, maxPayload, perMessageDeflate: false });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    port: address.port,
    serve(onConnection) {
      for (const early of server.clients) early.terminate();
      server.on('connection', onConnection);
    },
    async stop() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const client of server.clients) client.terminate();
      await closed;
    },
  };
}
