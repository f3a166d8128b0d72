import { test } from 'tap';
import { decodeTime } from 'ulid';
import { isUlid } from '../../src/domain/ulid.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { takeRandomBytes } from '../../src/event-store/random-pool.ts';

test('ids are distinct ULIDs of the current time', async (t) => {
  const before = Date.now();
  const ids = Array.from({ length: 10_000 }, newUlid);
  const after = Date.now();
  t.ok(ids.every(isUlid));
  t.equal(new Set(ids).size, ids.length);
  t.ok(ids.every((id) => decodeTime(id) >= before && decodeTime(id) <= after));
});

test('every character of the random part is equally likely', async (t) => {
  const count = 32_000;
  const seen = Array.from({ length: 16 }, () => new Map<string, number>());
  for (let made = 0; made < count; made += 1) {
    const random = newUlid().slice(10);
    for (const [place, map] of seen.entries()) {
      const character = random.charAt(place);
      map.set(character, (map.get(character) ?? 0) + 1);
    }
  }
  // 1,000 of each are expected. 200 is more than six standard deviations away.
  for (const map of seen) {
    t.equal(map.size, 32);
    t.ok([...map.values()].every((times) => Math.abs(times - count / 32) < 200));
  }
});

test('random bytes are handed out once, and are not overwritten while in use', async (t) => {
  const taken = Array.from({ length: 5_000 }, () => takeRandomBytes(12));
  const texts = taken.map((bytes) => bytes.toString('hex'));
  takeRandomBytes(16_384);
  t.strictSame(
    taken.map((bytes) => bytes.toString('hex')),
    texts,
  );
  t.equal(new Set(texts).size, texts.length);
  t.equal(takeRandomBytes(16_384).length, 16_384);
});
