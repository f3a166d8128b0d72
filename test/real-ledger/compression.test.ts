import { once } from 'node:events';
import { type Test, test } from 'tap';
import { WebSocket } from 'ws';
import { createStandaloneLedger } from '../../src/embedded/standalone-ledger/create-standalone-ledger.ts';
import type { LedgerServer } from '../support/anchoring-site.ts';
import { noRippled, startRippled } from '../support/real-ledger.ts';

const ledgers: readonly {
  name: string;
  skip: string | false;
  start: () => Promise<LedgerServer>;
}[] = [
  {
    name: 'the standalone ledger',
    skip: false,
    start: () => createStandaloneLedger({ closeMs: 0 }),
  },
  { name: 'rippled', skip: noRippled, start: () => startRippled({ openLedgerLimit: 1_000 }) },
];

/** Bytes that a server sends for one answer, to a client that offers compression or does not. */
async function answerBytes(t: Test, url: string, offersCompression: boolean) {
  const socket = new WebSocket(url, { perMessageDeflate: offersCompression });
  t.teardown(() => socket.terminate());
  const [[{ socket: raw }]] = await Promise.all([once(socket, 'upgrade'), once(socket, 'open')]);
  const before = raw.bytesRead;
  socket.send(JSON.stringify({ id: 1, command: 'server_info' }));
  const [message] = await once(socket, 'message');
  return {
    extensions: socket.extensions,
    text: String(message).length,
    sent: raw.bytesRead - before,
  };
}

for (const { name, skip, start } of ledgers) {
  test(`${name} compresses answers to clients that offer it, and to no others`, {
    skip,
  }, async (t) => {
    const ledger = await start();
    t.teardown(() => ledger.stop());
    const plain = await answerBytes(t, ledger.url, false);
    t.equal(plain.extensions, '');
    t.ok(plain.sent >= plain.text, `${plain.sent} bytes for ${plain.text} characters`);
    const packed = await answerBytes(t, ledger.url, true);
    t.equal(packed.extensions, 'permessage-deflate');
    t.ok(packed.sent < packed.text, `${packed.sent} bytes for ${packed.text} characters`);
  });
}
