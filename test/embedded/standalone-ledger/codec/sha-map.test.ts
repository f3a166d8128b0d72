import { encode } from 'ripple-binary-codec';
import { test } from 'tap';
import { hashes } from 'xrpl';
import {
  sha512Half,
  stateLeafHash,
  upperHex,
} from '../../../../src/embedded/standalone-ledger/codec/hashes.ts';
import { ShaMap } from '../../../../src/embedded/standalone-ledger/codec/sha-map.ts';

type Entries = Parameters<typeof hashes.hashStateTree>[0];

/** Entries whose indexes share prefixes of different lengths. */
function entry(number: number) {
  const random = upperHex(sha512Half(Buffer.from(String(number))));
  const index = `${'ABCD'.slice(0, number % 5)}${random}`.slice(0, 64);
  return { LedgerEntryType: 'Ticket', Flags: 0, TicketSequence: number, index };
}

function put(map: ShaMap, each: ReturnType<typeof entry>): void {
  const key = Buffer.from(each.index, 'hex');
  map.put(key, stateLeafHash(Buffer.from(encode(each), 'hex'), key));
}

const oracle = (entries: readonly unknown[]) => hashes.hashStateTree(entries as Entries);

test('the root equals that of the client library at every size', async (t) => {
  const map = new ShaMap();
  const entries = Array.from({ length: 200 }, (_, number) => entry(number));
  t.equal(upperHex(map.root()), '0'.repeat(64));
  for (const [place, each] of entries.entries()) {
    put(map, each);
    if (place % 20 === 0) t.equal(upperHex(map.root()), oracle(entries.slice(0, place + 1)));
  }
});

test('removing entries restores each earlier root, down to the empty map', async (t) => {
  const map = new ShaMap();
  const entries = Array.from({ length: 60 }, (_, number) => entry(number));
  for (const each of entries) put(map, each);
  while (entries.length > 0) {
    const each = entries.splice((entries.length * 7) % entries.length, 1)[0];
    if (each !== undefined) map.remove(Buffer.from(each.index, 'hex'));
    t.equal(upperHex(map.root()), entries.length === 0 ? '0'.repeat(64) : oracle(entries));
  }
});

test('putting a key again replaces its leaf', async (t) => {
  const map = new ShaMap();
  put(map, entry(1));
  const before = upperHex(map.root());
  put(map, { ...entry(1), TicketSequence: 2 });
  t.not(upperHex(map.root()), before);
  put(map, entry(1));
  t.equal(upperHex(map.root()), before);
});
