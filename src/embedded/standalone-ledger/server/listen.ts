import { once } from 'node:events';
import { type WebSocket, WebSocketServer } from 'ws';

/** Largest request in bytes, as rippled's; a larger one closes the connection. */
const maxPayload = 1_000_000;

export interface Listening {
  readonly port: number;
  /** Stops listening and cuts every connection. */
  stop(): Promise<void>;
}

/** Listens for WebSocket connections. Rejects with EADDRINUSE and the like. */
export async function listen(
  host: string,
  port: number,
  onConnection: (socket: WebSocket) => void,
): Promise<Listening> {
  const server = new WebSocketServer({ host, port, maxPayload, perMessageDeflate: false });
  await once(server, 'listening');
  server.on('connection', onConnection);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    port: address.port,
    async stop() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const client of server.clients) client.terminate();
      await closed;
    },
  };
}
