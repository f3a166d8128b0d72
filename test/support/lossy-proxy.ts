import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

export interface LossyProxy {
  /** URL of the database through the proxy. */
  readonly url: string;
  /** Numbers of connections broken so far, before and after a request reached the server. */
  readonly losses: { before: number; after: number };
}

/**
 * A proxy before PostgreSQL that breaks connections. `fault` decides for each chunk that a client sends
 * after its login. `before` drops the chunk; `after` forwards it and drops the answer, so that the
 * statement took effect unknown to the client.
 */
export async function createLossyProxy(
  t: Pick<Test, 'teardown'>,
  databaseUrl: string,
  fault: () => 'before' | 'after' | null,
): Promise<LossyProxy> {
  const target = new URL(databaseUrl);
  const losses = { before: 0, after: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const breakBoth = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        breakBoth();
      });
    }
    let answered = 0;
    // The first answer ends the login, the second one the settings of the session.
    const loggedIn = () => answered >= 2;
    let breaking = false;
    client.on('data', (chunk) => {
      const chosen = loggedIn() && !breaking ? fault() : null;
      if (chosen === 'before') {
        losses.before += 1;
        breakBoth();
        return;
      }
      breaking ||= chosen === 'after';
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (breaking) {
        losses.after += 1;
        breakBoth();
        return;
      }
      // ReadyForQuery: "Z", its length, and the transaction status.
      if (chunk.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]))) answered += 1;
      client.write(chunk);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) });
  return { url: url.href, losses };
}
