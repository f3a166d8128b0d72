import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Forwards connections to a local port until they are cut. */
export interface SeverableProxy {
  readonly port: number;
  /** Cuts every connection; new ones are forwarded as before. False if there was none. */
  severAll(): boolean;
  /** Cuts the connection chosen by `choice` (from 0 to below 1). False if there was none. */
  severOne(choice: number): boolean;
  close(): Promise<void>;
}

/** `targetPort` may change. While it is null, new connections are cut at once. */
export async function startProxy(targetPort: () => number | null): Promise<SeverableProxy> {
  const open = new Set<Socket>();
  const sever = (sockets: readonly Socket[]) => {
    for (const socket of sockets) socket.resetAndDestroy();
    return sockets.length > 0;
  };
  const server = createServer((near) => {
    near.on('error', () => {});
    const port = targetPort();
    if (port === null) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    open.add(near);
    const end = () => {
      open.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.setNoDelay().on('error', end).on('close', end);
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    severAll: () => sever([...open]),
    severOne: (choice) => {
      const place = Math.floor(choice * open.size);
      return sever([...open].slice(place, place + 1));
    },
    async close() {
      server.close();
      sever([...open]);
      await once(server, 'close');
    },
  };
}
