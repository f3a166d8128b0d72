import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import type { Test } from 'tap';

/**
 * URL of the database through a proxy that changes the major version in `server_version_num`, and nothing
 * else.
 */
export async function asMajorVersion(
  t: Pick<Test, 'teardown'>,
  databaseUrl: string,
  major: number,
): Promise<string> {
  const real = await readServerVersion(databaseUrl);
  // The same length as the real version, so that the messages' lengths stay right.
  const shown = `${major}${real.slice(2)}`;
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      client.write(Buffer.from(chunk.toString('latin1').replaceAll(real, shown), 'latin1'));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href;
}

async function readServerVersion(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query('SHOW server_version_num')).rows[0].server_version_num;
  } finally {
    await client.end();
  }
}
