import { DatabaseSync } from 'node:sqlite';
import { test } from 'tap';
import { ulid } from 'ulid';
import { KeyTable } from '../../../../ops/audit/bounded/key-table.ts';
import { StoredKeys } from '../../../../ops/audit/bounded/stored-keys.ts';
import { idNumbers, writeUlidNumbers } from '../../../../ops/audit/streams/ulid-numbers.ts';
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
  }
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
  db.close();
  t.end();
});
