import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'tap';
import { hashFile } from '../../../clients/typescript/src/hashing/hash-file.ts';
import { newFolder } from '../../support/blobs.ts';

test('a path, URL, Blob, File, bytes and streams have the same hash', async (t) => {
  const bytes = randomBytes(3_000_000);
  const path = join(await newFolder(t), 'ä file.bin');
  await writeFile(path, bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const sources = {
    path,
    url: pathToFileURL(path),
    blob: await openAsBlob(path),
    file: new File([bytes], 'file.bin'),
    bytes,
    buffer: new Uint8Array(bytes).buffer,
    web: new Blob([bytes]).stream(),
    node: createReadStream(path),
  };
  for (const [name, source] of Object.entries(sources)) {
    const seen: { readonly bytes: number; readonly totalBytes: number | null }[] = [];
    const found = await hashFile(source, { onProgress: (now) => seen.push(now) });
    t.strictSame(found, { hash, size: bytes.length }, name);
    t.equal(seen.at(-1)?.bytes, bytes.length, `${name}: progress`);
    const isStream = name === 'web' || name === 'node';
    t.equal(seen[0]?.totalBytes, isStream ? null : bytes.length);
    // Node hands out a Blob in memory at once.
    const inMemory = name === 'file' || name === 'web';
    t.ok(inMemory || seen.length > 1, `${name}: in parts`);
  }
});

test('an empty file has the hash of nothing', async (t) => {
  const hash = createHash('sha256').digest('hex');
  t.strictSame(await hashFile(new Uint8Array()), { hash, size: 0 });
  t.strictSame(await hashFile(new Blob()), { hash, size: 0 });
});

test('a file that is altered while it is hashed has no hash', async (t) => {
  const path = join(await newFolder(t), 'growing');
  await writeFile(path, randomBytes(3_000_000));
  let altered: Promise<void> | null = null;
  const onProgress = () => {
    altered ??= appendFile(path, 'more');
  };
  await t.rejects(hashFile(path, { onProgress }), { code: 'FILE_CHANGED' });
  await altered;
});

test('a missing file and a folder cannot be read', async (t) => {
  const folder = await newFolder(t);
  await mkdir(join(folder, 'sub'));
  for (const name of ['none', 'sub']) {
    await t.rejects(hashFile(join(folder, name)), { code: 'FILE_NOT_READABLE' }, name);
  }
  if (process.getuid?.() === 0) return;
  await writeFile(join(folder, 'secret'), 'x');
  await chmod(join(folder, 'secret'), 0);
  await t.rejects(hashFile(join(folder, 'secret')), { code: 'FILE_NOT_READABLE' });
});

test('a signal ends the hashing, and closes the stream', async (t) => {
  const stop = new AbortController();
  const reason = new Error('enough');
  let cancelled: unknown = null;
  const endless = new ReadableStream<Uint8Array>({
    pull: (out) => out.enqueue(new Uint8Array(1_000)),
    cancel: () => {
      cancelled = true;
    },
  });
  const onProgress = ({ bytes }: { readonly bytes: number }) => {
    if (bytes > 10_000) stop.abort(reason);
  };
  await t.rejects(hashFile(endless, { onProgress, signal: stop.signal }), reason);
  t.equal(cancelled, true);
});
