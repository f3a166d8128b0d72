import { openAsBlob } from 'node:fs';
import { appendFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'tap';
import type { Wait } from '../../../clients/typescript/src/calls/wait.ts';
import { openLocalFile } from '../../../clients/typescript/src/files/local-files.ts';
import { hashFile } from '../../../clients/typescript/src/hashing/hash-file.ts';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import { newFolder } from '../../support/blobs.ts';
import { cutBefore, json, startScriptedService } from '../../support/scripted-service.ts';

const changes = {
  'that grows': (path: string) => appendFile(path, 'more'),
  'that is written anew': (path: string) => writeFile(path, 'b'.repeat(3_000_000)),
  'that is removed': (path: string) => rm(path),
};

for (const [name, change] of Object.entries(changes)) {
  test(`an upload of a file ${name} meanwhile fails at once with FILE_CHANGED`, async (t) => {
    const path = join(await newFolder(t), 'file.bin');
    const stored = json(201, { success: true, data: {} });
    for (const source of [() => path, () => openAsBlob(path)]) {
      await writeFile(path, 'a'.repeat(3_000_000));
      const { url } = await startScriptedService(
        t,
        async (response, call) => {
          await change(path);
          cutBefore(response, call);
        },
        stored,
      );
      const waits: number[] = [];
      const wait: Wait = async (ms) => void waits.push(ms);
      const proofmark = new Proofmark({ server: url, apiKey: 'k', workspace: 'W', wait });
      const uploaded = proofmark.upload(await source());
      await t.rejects(uploaded, { code: 'FILE_CHANGED', retryable: false });
      t.ok(waits.length <= 1, `${waits.length} waits`);
    }
  });
}

test('an upload of an unchanged file is sent again after a broken connection', async (t) => {
  const path = join(await newFolder(t), 'file.bin');
  for (const content of ['', 'a'.repeat(100_000)]) {
    await writeFile(path, content);
    const { url, calls } = await startScriptedService(
      t,
      cutBefore,
      json(201, { success: true, data: {} }),
    );
    const proofmark = new Proofmark({ server: url, apiKey: 'k', workspace: 'W' });
    await proofmark.upload(path);
    t.equal(calls.length, 2);
    t.ok(calls[1]?.body.includes(`${content}\r\n--`));
  }
});

test('a file that is gone before its first byte is read cannot be read', async (t) => {
  const path = join(await newFolder(t), 'file.bin');
  await writeFile(path, 'content');
  const { chunks } = await openLocalFile(path);
  await rm(path);
  // The error of a stream that is open already would end the process here.
  await new Promise((passed) => setTimeout(passed, 50));
  await t.rejects(Array.fromAsync(chunks), { code: 'FILE_NOT_READABLE' });
});

test('a signal that is aborted before the hashing leaves no file open', {
  skip: process.platform !== 'linux' && 'only Linux lists open files',
}, async (t) => {
  const path = join(await newFolder(t), 'file.bin');
  await writeFile(path, 'content');
  const reason = new Error('enough');
  await t.rejects(hashFile(path, { signal: AbortSignal.abort(reason) }), reason);
  await new Promise((passed) => setTimeout(passed, 50));
  const open = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  t.notOk(targets.includes(path));
});
