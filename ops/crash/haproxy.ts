import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chooseFreePort } from '../../src/embedded/postgres/free-port.ts';
import type { CleanUp } from '../bench/harness/clean-up.ts';
import { progress } from '../bench/harness/progress.ts';

interface FollowedServers {
  /** Path of HAProxy's program. */
  readonly program: string;
  readonly folder: string;
  readonly ports: readonly number[];
  /** Port of the server that takes writes; null while there is none. */
  readonly primaryPort: () => number | null;
}

/**
 * Starts HAProxy in front of PostgreSQL servers, as in front of a cluster that Patroni manages: it
 * asks over HTTP which server is the primary, and ends the sessions of a server that no longer is.
 * Returns its port.
 */
export async function startHaproxy(
  { program, folder, ports, primaryPort }: FollowedServers,
  cleanUp: CleanUp,
): Promise<number> {
  const port = await chooseFreePort();
  const health = await Promise.all(
    ports.map((server) => startHealthServer(() => primaryPort() === server, cleanUp)),
  );
  const servers = ports.map(
    (server, index) => `  server pg${index + 1} 127.0.0.1:${server} check port ${health[index]}`,
  );
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, `${settings}  bind 127.0.0.1:${port}\n${checks}${servers.join('\n')}\n`);
  const running = spawn(program, ['-db', '-q', '-f', file], { stdio: 'inherit' });
  const ended = once(running, 'exit');
  cleanUp.defer(async () => {
    running.kill('SIGKILL');
    await ended.catch(() => {});
  });
  await Promise.race([once(running, 'spawn'), ended]);
  progress(`HAProxy listens on port ${port}`);
  return port;
}

const settings = `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
`;
const checks = `  option httpchk GET /primary
  http-check expect status 200
  default-server inter 300ms fall 2 rise 1 on-marked-down shutdown-sessions
`;

/** Answers 200 while the server is the primary, and 503 otherwise. Returns its port. */
async function startHealthServer(isPrimary: () => boolean, cleanUp: CleanUp): Promise<number> {
  const server = createServer((_, response) => {
    response.writeHead(isPrimary() ? 200 : 503).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
