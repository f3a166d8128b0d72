import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

/** The messages of one relayed connection. */
export interface Relayed {
  /** True if the request of the client goes on to the server. By default every request does. */
  readonly passesOn?: (request: string) => boolean;
  /** Called with each message of the server. Sends on what the client is to receive. */
  readonly onMessage: (message: string) => void;
}

export interface WebSocketRelay {
  readonly url: string;
  /** Sends a message to every client. */
  sendAll(message: string): void;
  /** Ends all connections. New ones are accepted. */
  cut(): void;
  close(): void;
}

/**
 * Relays WebSocket connections to the server behind it. Calls `relayed` for each new connection, with
 * a function that sends to its client while that is connected.
 */
export async function startWebSocketRelay(
  behind: string,
  relayed: (send: (message: string) => void) => Relayed,
): Promise<WebSocketRelay> {
  const listening = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  listening.on('connection', (client: WebSocket) => {
    const server = new WebSocket(behind, { perMessageDeflate: false });
    const requests: RawData[] = [];
    const end = () => {
      client.terminate();
      server.terminate();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    const { passesOn = () => true, onMessage } = relayed((message) => {
      if (client.readyState === WebSocket.OPEN) client.send(message);
    });
    server.on('open', () => {
      for (const request of requests.splice(0)) server.send(String(request));
    });
    client.on('message', (request) => {
      if (!passesOn(String(request))) return;
      if (server.readyState === WebSocket.OPEN) server.send(String(request));
      else requests.push(request);
    });
    server.on('message', (message) => onMessage(String(message)));
  });
  await once(listening, 'listening');
  const cut = () => {
    for (const client of listening.clients) client.terminate();
  };
  return {
    url: `ws://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    sendAll(message) {
      for (const client of listening.clients) client.send(message);
    },
    cut,
    close() {
      cut();
      listening.close();
    },
  };
}
