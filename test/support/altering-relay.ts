import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

interface Alterations {
  /** Returns the result to pass on in place of this one. */
  readonly alter?: (command: string, result: Record<string, unknown>) => Record<string, unknown>;
  /** Time by which notices of new ledgers come later, in milliseconds. */
  readonly lateMs?: number;
}

/** A ledger server that relays the one behind it, and may lie or be late. Returns its address. */
export async function startAlteringRelay(
  t: Pick<Test, 'teardown'>,
  behind: string,
  { alter = (_, result) => result, lateMs = 0 }: Alterations,
): Promise<string> {
  const listening = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  listening.on('connection', (client: WebSocket) => {
    const server = new WebSocket(behind);
    const opened = once(server, 'open').catch(() => {});
    const commands = new Map<unknown, string>();
    const end = () => {
      client.terminate();
      server.terminate();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.on('message', async (request: RawData) => {
      const { id, command } = JSON.parse(String(request));
      commands.set(id, command);
      await opened;
      server.send(String(request));
    });
    server.on('message', async (message: RawData) => {
      const answer = JSON.parse(String(message));
      const command = commands.get(answer.id);
      if (answer.type === 'ledgerClosed') await delay(lateMs);
      else if (command !== undefined && answer.status === 'success') {
        answer.result = alter(command, answer.result);
      }
      client.send(JSON.stringify(answer));
    });
  });
  await once(listening, 'listening');
  t.teardown(() => {
    for (const client of listening.clients) client.terminate();
    listening.close();
  });
  return `ws://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}
