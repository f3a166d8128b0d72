import { DatabaseSync } from 'node:sqlite';
import { test } from 'tap';
import { ulid } from 'ulid';
import { KeyTable } from '../../../../ops/audit/bounded/key-table.ts';
import { StoredKeys } from '../../../../ops/audit/bounded/stored-keys.ts';
import {
  idNumbers,
  readUlidNumbers,
  writeUlidNumbers,
} from '../../../../ops/audit/streams/ulid-numbers.ts';
import { seededRandom } from '../../../support/seed.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function numbersOf(id: string): Uint32Array {
  const numbers = new Uint32Array(idNumbers);
  writeUlidNumbers(id, numbers, 0);
  return numbers;
}

test('a ULID becomes its 128 bits', (t) => {
  for (const id of [ulid(), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', '00000000000000000000000001']) {
    let bits = 0n;
    for (const digit of id) bits = bits * 32n + BigInt(alphabet.indexOf(digit));
    const written = [...numbersOf(id)].reduce((all, one) => (all << 32n) | BigInt(one), 0n);
    t.equal(written, bits, id);
    const read = new Uint32Array(idNumbers);
    const bytes = Buffer.from(`-${id}-`);
    t.equal(readUlidNumbers(bytes, 1, 27, read, 0), true);
    t.strictSame(read, numbersOf(id), 'the same from bytes');
    t.equal(readUlidNumbers(bytes, 0, 26, read, 0), false);
    t.equal(readUlidNumbers(bytes, 1, 26, read, 0), false);
  }
  for (const id of ['80000000000000000000000000', '0000000000000000000000000U', 'é'.repeat(13)]) {
    t.equal(readUlidNumbers(Buffer.from(id), 0, 26, new Uint32Array(idNumbers), 0), false, id);
  }
  t.end();
});

test('a value is replaced only if the present one is the expected one', (t) => {
  const table = new KeyTable(2, 131_072);
  const keys = Uint32Array.from({ length: 2 * 60_000 }, (_, n) => n);
  for (let at = 0; at < keys.length; at += 2) {
    if (table.replace(keys, at, 1, 2)) t.fail('a key that is not there');
    if (!table.replace(keys, at, 0, 1)) t.fail('a new key');
    if (table.replace(keys, at, 0, 1)) t.fail('a key that is there');
    if (!table.replace(keys, at, 1, 2)) t.fail('the next value');
  }
  t.equal(table.get(keys, 2), 2);
  t.ok(Number.isNaN(table.get(Uint32Array.of(1, 1), 0)));
  t.end();
});

test('keys keep their values when the table grows, and when it is moved into a file', (t) => {
  const draw = seededRandom(t);
  const db = new DatabaseSync('');
  const keys = new StoredKeys(db, 'keys', new KeyTable(3, 131_072));
  const known = new Map<string, number>();
  const all = Uint32Array.from({ length: 3 * 80_000 }, () => Math.floor(draw() * 4_000));
  // Damaged versions may have any value.
  for (let at = 0; at < all.length; at += 3) {
    const name = all.subarray(at, at + 3).join();
    if (keys.get(all, at) !== (known.get(name) ?? null)) t.fail(`key ${name}`);
    const value = Math.floor(draw() * 10) - 5;
    keys.set(all, at, value);
    known.set(name, value);
  }
  for (let at = 0; at < all.length; at += 3) {
    const name = all.subarray(at, at + 3).join();
    if (keys.get(all, at) !== known.get(name)) t.fail(`key ${name} in the end`);
  }
  const { stored } = db.prepare('SELECT count(*) AS stored FROM keys').get() ?? {};
  t.equal(stored, known.size, 'all are in the file');
  t.equal(keys.replace(all, 0, 99, 5), false);
  t.equal(keys.replace(all, 0, keys.get(all, 0) ?? 0, 5), true);
  t.equal(keys.get(all, 0), 5);
  db.close();
  t.end();
});
