import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import {
  encodeHeader,
  ledgerHash,
} from '../../src/embedded/standalone-ledger/codec/ledger-header.ts';

const noHash = 'F'.repeat(64);

/** A server of the ledger that can also announce ledgers that do not exist. */
export interface AnnouncingRelay {
  readonly url: string;
  /** Sends `ledgerClosed` for a ledger, by default an invented one, to every client. */
  announce(index: number, closeTime: number, hash?: string): void;
  /** The same for an invented ledger, and answers requests for the ledger with bytes that are no header. */
  garble(index: number, closeTime: number): void;
  /** From now on answers requests for the ledger with an invented header; returns its hash. */
  invent(index: number, closeTime: number): string;
  /** The same, and announces it. */
  forge(index: number, closeTime: number): string;
  /** From now on passes no `ledgerClosed` on, and answers that no newer ledger than this one is there. */
  lag(index: number): void;
  /** Ends all connections. New ones are accepted. */
  cut(): void;
  /** From now on answers the first request for each ledger that it does not have this ledger yet. */
  missFirst(): void;
}

/**
 * Relays WebSocket connections to the server behind it, apart from requests with a `mute` command.
 * - `change`: changes the text of each message of the server.
 */
export async function startAnnouncingRelay(
  t: Pick<Test, 'teardown'>,
  behind: string,
  mute: (command: string) => boolean = () => false,
  change: (message: string) => string = (message) => message,
): Promise<AnnouncingRelay> {
  const listening = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const forged = new Map<number, object>();
  let newest = Number.POSITIVE_INFINITY;
  let missed: Set<unknown> | null = null;
  const announce = (index: number, hash: string, closeTime: number) => {
    const invented = { ledger_index: index, ledger_hash: hash, ledger_time: closeTime };
    const message = JSON.stringify({ type: 'ledgerClosed', ...invented });
    for (const client of listening.clients) client.send(message);
  };
  const relay = (client: WebSocket) => {
    const server = new WebSocket(behind);
    const requests: RawData[] = [];
    const end = () => {
      client.terminate();
      server.terminate();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    server.on('open', () => {
      for (const request of requests.splice(0)) server.send(String(request));
    });
    client.on('message', (request) => {
      const { id, command, ledger_index: index } = JSON.parse(String(request));
      if (mute(command)) return;
      const result = command === 'ledger' ? forged.get(index) : undefined;
      if (result !== undefined) {
        client.send(JSON.stringify({ id, type: 'response', status: 'success', result }));
        return;
      }
      const isMissed = missed?.has(index) === false;
      if (command === 'ledger' && (index > newest || isMissed)) {
        missed?.add(index);
        const error = { error: 'lgrNotFound', error_code: 21, error_message: 'ledgerNotFound' };
        client.send(JSON.stringify({ id, type: 'response', status: 'error', ...error }));
        return;
      }
      if (server.readyState === WebSocket.OPEN) server.send(String(request));
      else requests.push(request);
    });
    server.on('message', (message) => {
      const { type, ledger_index: index } = JSON.parse(String(message));
      if (type !== 'ledgerClosed' || index <= newest) client.send(change(String(message)));
    });
  };
  listening.on('connection', relay);
  await once(listening, 'listening');
  t.teardown(() => {
    for (const client of listening.clients) client.terminate();
    listening.close();
  });
  const invent = (index: number, closeTime: number) => {
    const header = {
      ...{ ledgerIndex: index, totalDrops: 100_000_000_000_000_000n, closeTime },
      ...{ parentHash: 'A'.repeat(64), transactionHash: '0'.repeat(64) },
      ...{ accountHash: 'B'.repeat(64), parentCloseTime: closeTime - 4 },
      ...{ closeTimeResolution: 10, closeFlags: 0 },
    };
    const hash = ledgerHash(header);
    const ledger = { ledger_data: encodeHeader(header).toString('hex').toUpperCase() };
    forged.set(index, { ledger, ledger_hash: hash, ledger_index: index, validated: true });
    return hash;
  };
  return {
    url: `ws://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    announce: (index, closeTime, hash = noHash) => announce(index, hash, closeTime),
    garble(index, closeTime) {
      const ledger = { ledger_data: 'AB' };
      forged.set(index, { ledger, ledger_hash: noHash, ledger_index: index, validated: true });
      announce(index, noHash, closeTime);
    },
    cut() {
      for (const client of listening.clients) client.terminate();
    },
    invent,
    forge(index, closeTime) {
      const hash = invent(index, closeTime);
      announce(index, hash, closeTime);
      return hash;
    },
    lag(index) {
      newest = index;
    },
    missFirst() {
      missed = new Set();
    },
  };
}
