import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of 127.0.0.1 that nobody listens on now. From below the range that systems take outgoing
 * connections' ports from (32768 and up), which would make it change again and again.
 */
export async function chooseFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    if (await isFreePort(port)) return port;
  }
}

export function isFreePort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen({ port, host: '127.0.0.1', exclusive: true }, () => {
        server.close(() => resolve(true));
      });
  });
}
