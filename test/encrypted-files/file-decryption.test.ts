import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import type { Digest } from '../../src/domain/proof/digest.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { FileDecryption } from '../../src/encrypted-files/file-decryption.ts';
import { FileEncryption } from '../../src/encrypted-files/file-encryption.ts';
import type { DataKey, FileIdentity } from '../../src/encrypted-files/file-keys.ts';
import { encryptedSize, headerBytes, segmentBytes } from '../../src/encrypted-files/format.ts';
import { newUlid } from '../../src/event-store/new-ulid.ts';
import { newOrganisationId } from '../support/blobs.ts';
import { encryptBytes } from '../support/encrypted-file.ts';
import { seededRandom } from '../support/seed.ts';

const organisationId = newOrganisationId();
const dataKey: DataKey = { dataKeyId: newUlid(), dataKey: randomBytes(32) };
const taggedBytes = segmentBytes + 16;

function identityOf(bytes: Uint8Array, owner = organisationId): FileIdentity {
  const sha256 = createHash('sha256').update(bytes).digest('hex') as Digest;
  return { organisationId: owner, sizeBytes: bytes.length, sha256 };
}

/** Encrypts bytes that arrive in chunks of these sizes, in turn. */
function encryptIn(bytes: Buffer, chunks: readonly number[]): Buffer {
  const encryption = new FileEncryption(dataKey, organisationId);
  const segments = pieces(bytes, chunks).flatMap((piece) => encryption.push(piece));
  segments.push(...encryption.end());
  return Buffer.concat([encryption.header(identityOf(bytes)), ...segments]);
}

/** Decrypts bytes that arrive in chunks of these sizes, in turn. */
function decryptIn(
  stored: Buffer,
  identity: FileIdentity,
  chunks: readonly number[] = [200_000],
  key = dataKey,
): Buffer {
  const decryption = new FileDecryption(key, identity);
  const plain = pieces(stored, chunks).flatMap((piece) => decryption.push(piece));
  decryption.end();
  return Buffer.concat(plain);
}

function pieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = sizes[found.length % sizes.length] ?? 1;
    found.push(bytes.subarray(at, at + size));
    at += size;
  }
  return found;
}

/** Number of bytes handed out before the damage is found. */
function decryptDamaged(t: Test, stored: Buffer, identity: FileIdentity, what: string): number {
  const decryption = new FileDecryption(dataKey, identity);
  let received = 0;
  const read = () => {
    for (const piece of pieces(stored, [1_000])) {
      for (const plain of decryption.push(piece)) received += plain.length;
    }
    decryption.end();
  };
  t.throws(read, { name: 'FileDamaged' }, what);
  return received;
}

test('a file of any size comes back, however its bytes arrive', (t) => {
  const random = seededRandom(t);
  const around = [0, 1, 2].flatMap((n) => [-1, 0, 1].map((more) => n * segmentBytes + more));
  for (const size of around.filter((bytes) => bytes >= 0)) {
    const bytes = randomBytes(size);
    const drawn = () => Array.from({ length: 5 }, () => 1 + Math.floor(random() * 90_000));
    const ways = [[segmentBytes], [1_000_000], drawn(), ...(size < 2 ? [[1]] : [[1_009]])];
    for (const way of ways) {
      const stored = encryptIn(bytes, way);
      t.equal(stored.length, encryptedSize(size));
      t.ok(decryptIn(stored, identityOf(bytes), way).equals(bytes), `${size} bytes in ${way}`);
    }
  }
  t.end();
});

test('each file has its own keys, also one with the same bytes', (t) => {
  const bytes = Buffer.alloc(segmentBytes * 2);
  const [one, two] = [encryptIn(bytes, [segmentBytes]), encryptIn(bytes, [segmentBytes])];
  const segment = (file: Buffer, index: number) =>
    file
      .subarray(headerBytes + index * taggedBytes, headerBytes + index * taggedBytes + segmentBytes)
      .toString('hex');
  const all = [segment(one, 0), segment(one, 1), segment(two, 0), segment(two, 1)];
  t.equal(new Set(all).size, 4);
  t.end();
});

test('no segment that was altered, moved, doubled or left out is handed out', (t) => {
  const bytes = randomBytes(3 * segmentBytes + 100);
  const identity = identityOf(bytes);
  const stored = encryptIn(bytes, [segmentBytes]);
  const header = stored.subarray(0, headerBytes);
  const [a, b, c, last] = [0, 1, 2, 3].map((index) =>
    stored.subarray(headerBytes + index * taggedBytes, headerBytes + (index + 1) * taggedBytes),
  ) as [Buffer, Buffer, Buffer, Buffer];
  const others = encryptIn(bytes, [segmentBytes]).subarray(headerBytes);
  const files: readonly (readonly [string, number, Buffer[]])[] = [
    ['two segments swapped', 0, [b, a, c, last]],
    ['a segment twice', 1, [a, a, c, last]],
    ['a segment is missing', 1, [a, c, last]],
    ['the last segment is missing', 3, [a, b, c]],
    ['only the header', 0, []],
    ['a segment too many', 2, [a, b, b, c, last]],
    ['bytes after the end', 3, [a, b, c, last, Buffer.of(0)]],
    ['another segment as the last one', 3, [a, b, c, a.subarray(0, last.length)]],
    ['a segment of another file with the same bytes', 0, [others.subarray(0, taggedBytes), b, c]],
    ['all segments of another file', 0, [others]],
  ];
  for (const [what, whole, segments] of files) {
    const received = decryptDamaged(t, Buffer.concat([header, ...segments]), identity, what);
    t.ok(received <= whole * segmentBytes, `${what}: ${received} bytes before it`);
  }
  for (const at of [0, taggedBytes - 1, taggedBytes, 3 * taggedBytes + 50]) {
    const flipped = Buffer.from(stored);
    flipped.writeUInt8(flipped.readUInt8(headerBytes + at) ^ 0x80, headerBytes + at);
    const whole = Math.floor(at / taggedBytes) * segmentBytes;
    t.ok(decryptDamaged(t, flipped, identity, `byte ${at} altered`) <= whole);
  }
  for (let length = 0; length < stored.length; length += 9_973) {
    decryptDamaged(t, stored.subarray(0, length), identity, `cut to ${length} bytes`);
  }
  t.end();
});

test('a file cut at a segment is not taken for a shorter one', (t) => {
  const bytes = randomBytes(2 * segmentBytes);
  const stored = encryptIn(bytes, [segmentBytes]).subarray(0, headerBytes + taggedBytes);
  // A reader that believes in the shorter file.
  const shorter = identityOf(bytes.subarray(0, segmentBytes));
  t.equal(decryptDamaged(t, stored, shorter, 'its header commits to the longer one'), 0);
  t.end();
});

test('no byte of the header can be altered', (t) => {
  const bytes = randomBytes(10);
  const stored = encryptIn(bytes, [10]);
  for (let at = 0; at < headerBytes; at += 1) {
    const flipped = Buffer.from(stored);
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at & 7)), at);
    t.equal(decryptDamaged(t, flipped, identityOf(bytes), `byte ${at}`), 0);
  }
  t.end();
});

test('a file opens only as itself, for its organisation, under its key', (t) => {
  const bytes = randomBytes(100);
  const stored = encryptIn(bytes, [100]);
  const identity = identityOf(bytes);
  const decrypt =
    (changes: Partial<FileIdentity>, key = dataKey) =>
    () =>
      decryptIn(stored, { ...identity, ...changes }, [1_000], key);
  t.ok(decrypt({})().equals(bytes));
  const another = { name: 'FileDamaged', message: /that of another file/ };
  t.throws(decrypt({ sha256: 'ab'.repeat(32) as Digest }), another);
  t.throws(decrypt({ sizeBytes: 99 }), another);
  t.throws(decrypt({ organisationId: newUlid() as OrganisationId }), another);
  t.throws(decrypt({}, { ...dataKey, dataKey: randomBytes(32) }), another);
  const unnamed = { name: 'FileDamaged', message: /under another data key/ };
  t.throws(decrypt({}, { dataKeyId: newUlid(), dataKey: randomBytes(32) }), unnamed);
  t.end();
});

test('a version that this release does not know is named', (t) => {
  const bytes = Buffer.from('of a later release');
  const stored = encryptIn(bytes, [100]);
  stored.writeUInt8(2, 7);
  const message = 'it has the unknown version 2: a newer release may have written it';
  t.throws(() => decryptIn(stored, identityOf(bytes)), { name: 'FileDamaged', message });
  t.throws(() => decryptIn(Buffer.from('plain'.repeat(100)), identityOf(bytes)), {
    message: 'it is no encrypted file',
  });
  t.end();
});

test('a stored file of version 1 opens for ever', async (t) => {
  const sample = join(import.meta.dirname, 'samples');
  const bytes = Buffer.alloc(70_000, 'Proofmark stores this text. ');
  const owner = '01J00000000000000000000000' as OrganisationId;
  const key = { dataKeyId: '01J00000000000000000000001', dataKey: Buffer.alloc(32, 'key') };
  const stored = await readFile(join(sample, 'version-1.enc'));
  t.equal(stored.length, encryptedSize(bytes.length));
  t.ok(decryptIn(stored, identityOf(bytes, owner), [1_000], key).equals(bytes));
});

test('encrypts with the key that the staged file names', (t) => {
  const { stored } = encryptBytes(Buffer.from('x'), dataKey, organisationId);
  t.equal(stored.toString('ascii', 0, 7), 'PMKFILE');
  t.equal(stored.toString('ascii', 8, 34), dataKey.dataKeyId);
  t.throws(() => new FileEncryption({ ...dataKey, dataKeyId: 'short' }, organisationId), TypeError);
  t.end();
});
