import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Passes connections on to a port of this machine until they are cut. */
export interface SeverableProxy {
  readonly port: number;
  /** Cuts every connection; new ones are passed on as before. Tells how many there were. */
  sever(): number;
  close(): Promise<void>;
}

export async function startProxy(targetPort: number): Promise<SeverableProxy> {
  const open = new Set<Socket>();
  const sever = () => {
    const count = open.size;
    for (const socket of open) socket.resetAndDestroy();
    return count;
  };
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    open.add(near);
    const end = () => {
      open.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sever,
    async close() {
      server.close();
      sever();
      await once(server, 'close');
    },
  };
}
