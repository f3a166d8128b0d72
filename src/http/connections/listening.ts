import { once } from 'node:events';
import type { Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createListener,
  type Server as Listener,
} from 'node:net';

interface Listening {
  readonly port: number;
  /** Accepts no further connections. Resolves when all connections have ended. */
  close(): Promise<void>;
}

/** Number of listening sockets of the port. */
const sockets = 32;

/**
 * Listens on a port with several sockets. Of each, Node accepts one connection in a turn of the
 * event loop, which takes up to 100 ms under load. With one socket, callers that connect at once
 * would wait for each other. Linux spreads connections among sockets with SO_REUSEPORT. Other
 * systems get one socket. Rejects with system errors such as EADDRINUSE. Port 0 selects any free
 * port.
 */
export async function listenOnPort(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const reusePort = process.platform === 'linux';
  // Another process could share the port unnoticed, since this one permits it.
  if (reusePort && port !== 0) await requireFree(host, port);
  await listen(server, { host, port, reusePort });
  const chosen = portOf(server);
  const others: Listener[] = [];
  while (reusePort && others.length < sockets - 1) {
    // As in an HTTP server: a client may end its side, and still read the answer.
    const other = createListener({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    );
    await listen(other, { host, port: chosen, reusePort });
    others.push(other);
  }
  return {
    port: chosen,
    async close() {
      const closed = [server, ...others].map((each) => once(each, 'close'));
      for (const each of [server, ...others]) each.close();
      await Promise.all(closed);
    },
  };
}

/** Rejects if the port is taken. */
async function requireFree(host: string, port: number): Promise<void> {
  const probe = createListener();
  await listen(probe, { host, port });
  probe.close();
  await once(probe, 'close');
}

function listen(
  server: Listener,
  options: { readonly host: string; readonly port: number; readonly reusePort?: boolean },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(options, resolve);
  });
}

function portOf(server: Listener): number {
  return (server.address() as AddressInfo).port;
}
