import { randomBytes } from 'node:crypto';
import { appendFile, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Test, test } from 'tap';
import { ByteVerifier } from '../../src/byte-verification/byte-verifier.ts';
import type { EncryptedFile } from '../../src/encrypted-files/segment-reader.ts';
import { newFolder, newOrganisationId } from '../support/blobs.ts';
import { drawCases } from '../support/draw-cases.ts';
import { writeEncrypted } from '../support/encrypted-file.ts';
import { onThisMachine } from '../support/on-this-machine.ts';
import { runCount } from '../support/run-count.ts';
import { seededRandom } from '../support/seed.ts';
import { zipOf } from '../support/zip-writer.ts';

const MiB = 1_024 * 1_024;
const samples = join(import.meta.dirname, 'samples');

/** Judges bytes and records the highest CPU time of one file, independent of other load. */
async function newJudge(t: Test) {
  const verifier = new ByteVerifier({
    limits: { startMs: 60_000, fileMs: 60_000, answerMs: 60_000 },
  });
  t.teardown(() => verifier.close());
  const path = join(await newFolder(t), 'staged');
  const judge = {
    slowestMs: 0,
    async look(fileName: string, file: EncryptedFile) {
      const begun = process.cpuUsage();
      const { status } = await verifier.verify(file, fileName, newOrganisationId());
      const { user, system } = process.cpuUsage(begun);
      judge.slowestMs = Math.max(judge.slowestMs, (user + system) / 1_000);
      return status;
    },
    async judge(bytes: Buffer, fileName: string) {
      return await judge.look(fileName, await writeEncrypted(path, bytes));
    },
  };
  await judge.judge(Buffer.from('warm up'), 'a.pdf');
  judge.slowestMs = 0;
  return judge;
}

async function sampleBytes(): Promise<{ name: string; bytes: Buffer }[]> {
  const names = (await readdir(samples)).filter((name) => name !== 'README.md').sort();
  return await Promise.all(
    names.map(async (name) => ({ name, bytes: await readFile(join(samples, name)) })),
  );
}

test('decompression bombs cost no more time or memory than other files', async (t) => {
  const judge = await newJudge(t);
  const folder = await newFolder(t);
  const bombs: { name: string; file: EncryptedFile; status: string }[] = [];
  const add = async (name: string, bytes: Buffer, status: string) => {
    const path = join(folder, String(bombs.length));
    bombs.push({ name, file: await writeEncrypted(path, bytes), status });
  };
  const content = Buffer.alloc(200 * MiB);
  for (const streamed of [false, true]) {
    await add('a.odt', zipOf([{ name: 'mimetype', content, streamed }]), 'mismatch');
    await add('a.docx', zipOf([{ name: '[Content_Types].xml', content, streamed }]), 'mismatch');
  }
  const packed = gzipSync(content, { level: 1 });
  await add('a.gz', packed, 'verified');
  await add('a.pdf', packed, 'mismatch');
  await add('a.gz', gzipSync(packed), 'verified');
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  t.teardown(() => clearInterval(watch));
  for (const { name, file, status } of bombs) t.equal(await judge.look(name, file), status, name);
  const grown = Math.round((most - before) / MiB);
  t.comment(`slowest ${judge.slowestMs.toFixed(0)} ms, memory grew by ${grown} MiB`);
  t.ok(judge.slowestMs < (await onThisMachine(2_500)));
  t.ok(grown < 100);
});

test('false sizes and offsets in a file are judged within a second of CPU time', async (t) => {
  const judge = await newJudge(t);
  const filler = Buffer.alloc(5_000);
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  const hugeChunk = Buffer.concat([
    png,
    Buffer.alloc(17),
    Buffer.from([0x7f, 255, 255, 255]),
    filler,
  ]);
  const tinyChunks = Buffer.concat([png, Buffer.alloc(17), Buffer.alloc(12 * 100_000)]);
  const tags = Buffer.concat(
    Array.from({ length: 50_000 }, () => Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1')),
  );
  const files: readonly (readonly [string, Buffer])[] = [
    ['a.mp3', Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), filler])],
    ['a.mp3', tags],
    ['a.png', hugeChunk],
    ['a.png', tinyChunks],
    ['a.tif', Buffer.concat([Buffer.from('II*\0\xff\xff\xff\xff', 'latin1'), filler])],
    ['a.tif', Buffer.concat([Buffer.from('II*\0\x08\0\0\0\xff\xff', 'latin1'), filler])],
    ['a.mkv', Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1]), Buffer.alloc(70_000, 255)])],
    ['a.mkv', Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), filler])],
    ['a.wmv', Buffer.concat([Buffer.from('3026b2758e66cf11a6d9', 'hex'), Buffer.alloc(90_000, 1)])],
    ['a.docx', Buffer.from(`PK\x03\x04${'\xff'.repeat(60_000)}`, 'latin1')],
    ['a.docx', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(100_000)])],
    ['a.doc', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600, 255)])],
    ['a.pdf', Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.from('\ufeff')))],
    ['a.deb', Buffer.from('!<arch>\n')],
    ['a.zip', Buffer.from(`PK\x05\x06${'\xff'.repeat(18)}`, 'latin1')],
  ];
  for (const [name, bytes] of files) {
    t.match(await judge.judge(bytes, name), /^(verified|mismatch)$/, name);
  }
  t.comment(`slowest ${judge.slowestMs.toFixed(0)} ms`);
  t.ok(judge.slowestMs < (await onThisMachine(1_000)));
});

test('an archive with 60,000 entries is judged in bounded time', async (t) => {
  const judge = await newJudge(t);
  const entries = Array.from({ length: 60_000 }, (_, i) => ({
    name: `f${i}`,
    content: '',
    stored: true,
  }));
  const zip = zipOf(entries);
  t.equal(await judge.judge(zip, 'a.zip'), 'verified');
  t.equal(await judge.judge(zip, 'a.docx'), 'mismatch');
  const streamed = entries.slice(0, 20_000).map((entry) => ({ ...entry, streamed: true }));
  t.equal(await judge.judge(zipOf(streamed), 'a.docx'), 'mismatch');
  // Entry without a known size, so the reader searches for its end.
  const endless = Buffer.concat([
    zipOf([{ name: 'x', content: '', streamed: true }]).subarray(0, 31),
  ]);
  const noise = Buffer.alloc(60 * MiB, 'PK\x07');
  t.equal(await judge.judge(Buffer.concat([endless, noise]), 'a.docx'), 'mismatch');
  t.comment(`slowest ${judge.slowestMs.toFixed(0)} ms`);
  t.ok(judge.slowestMs < (await onThisMachine(2_500)));
});

test('truncated sample files are judged without a failure of the verifier', async (t) => {
  const judge = await newJudge(t);
  const cases = (await sampleBytes()).flatMap(({ name, bytes }) => {
    const lengths = [0, 1, 2, 3, 4, 7, 8, 11, 12, 16, 29, 30, 31, 32, 64, 100, 255, 512];
    lengths.push(bytes.length >> 2, bytes.length >> 1, bytes.length - 1);
    return lengths.map((length) => ({ name, bytes, length }));
  });
  for (const { name, bytes, length } of drawCases(t, cases, ({ name }) => name)) {
    const status = await judge.judge(bytes.subarray(0, length), name);
    if (!/^(verified|mismatch)$/.test(status)) t.fail(`${name} of ${length} bytes`);
  }
  t.ok(judge.slowestMs < (await onThisMachine(1_000)), `slowest ${judge.slowestMs.toFixed(0)} ms`);
});

test('randomly damaged sample files are judged without a failure of the verifier', async (t) => {
  const judge = await newJudge(t);
  const random = seededRandom(t);
  const files = await sampleBytes();
  const rounds = runCount(60, 250);
  let judged = 0;
  for (let i = 0; i < rounds; i += 1) {
    const sample = files[Math.floor(random() * files.length)];
    if (sample === undefined) continue;
    const bytes = Buffer.from(sample.bytes);
    for (let flips = 1 + random() * 20; flips > 0; flips -= 1) {
      // Prefer the first bytes, which identify the format.
      const at = Math.floor(random() ** 3 * bytes.length);
      bytes[at] = Math.floor(random() * 256);
    }
    const status = await judge.judge(bytes, `a${extname(sample.name)}`);
    if (!/^(verified|mismatch)$/.test(status)) t.fail(sample.name);
    judged += 1;
  }
  t.comment(`slowest ${judge.slowestMs.toFixed(0)} ms`);
  t.equal(judged, rounds);
  t.ok(judge.slowestMs < (await onThisMachine(1_000)));
});

test('random bytes are a mismatch for .pdf', async (t) => {
  const judge = await newJudge(t);
  for (let i = 0; i < runCount(50, 100); i += 1) {
    t.equal(
      await judge.judge(Buffer.concat([Buffer.of(0x81), randomBytes(5_000)]), 'a.pdf'),
      'mismatch',
    );
  }
});

test('a missing or damaged file makes verification unavailable, and the next file is judged', async (t) => {
  const judge = await newJudge(t);
  const path = join(await newFolder(t), 'staged');
  const file = await writeEncrypted(path, Buffer.alloc(100_000));
  await appendFile(path, 'x');
  t.equal(await judge.look('a.pdf', file), 'mismatch');
  const unavailable = { name: 'VerificationUnavailable' };
  for (const bytes of [200, 0]) {
    await truncate(path, bytes);
    await t.rejects(judge.look('a.pdf', file), unavailable, `cut to ${bytes} bytes`);
  }
  await rm(path);
  await t.rejects(judge.look('a.pdf', file), unavailable);
  await judge.judge(Buffer.from('%PDF-1.7'), 'a.pdf');
});
