import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { join } from 'node:path';
import { test } from 'tap';
import { StorageUnavailable } from '../../../src/storage/storage-unavailable.ts';
import { newFolder, openFileStorage } from '../../support/blobs.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { sha256 } from '../../support/forms.ts';
import { until } from '../../support/until.ts';

test('a file is returned as sent, as an attachment with nosniff', async (t) => {
  const { upload, service, key } = await joinDocumentService();
  for (const size of [1, 65_536, 3_000_001]) {
    const bytes = randomBytes(size);
    const type = 'text/html';
    const { documentId } = (await upload({ name: 'a "b".bin', bytes, type })).body.data;
    const url = `${service.url}/api/v1/documents/${documentId}/file`;
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(url, { headers });
    t.equal(response.status, 200);
    t.equal(sha256(await response.bytes()), sha256(bytes));
    const expected = {
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'content-disposition': `attachment; filename="a _b_.bin"; filename*=UTF-8''a%20%22b%22.bin`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    };
    for (const [name, value] of Object.entries(expected)) {
      t.equal(response.headers.get(name), value, name);
    }
    const head = await fetch(url, { headers, method: 'HEAD' });
    t.equal(head.status, 200);
    t.equal(head.headers.get('content-length'), String(size));
  }
  t.notMatch(service.log.join('\n'), /"level":(40|50)/);
});

test('a damaged or missing file is a 500, and its bytes are never served', async (t) => {
  const { upload, get, folder, files, service } = await joinDocumentService();
  const { documentId } = (await upload({ bytes: 'short' })).body.data;
  const [name = ''] = (await files()).kept;
  const file = join(folder, name);
  const faults: [string, () => Promise<void>][] = [
    ['changed', () => writeFile(file, 'SHORT')],
    ['cut', () => truncate(file, 3)],
    ['gone', () => rm(file)],
  ];
  for (const [what, harm] of faults) {
    await harm();
    const answer = await get(`/documents/${documentId}/file`);
    t.match(answer, { status: 500, body: { success: false, code: 'INTERNAL_ERROR' } }, what);
    t.equal(answer.headers.get('content-disposition'), null);
    t.notMatch(answer.text, new RegExp(name));
    const logged =
      service.log.findLast((line) => line.includes('"unexpected error in a request"')) ?? '{}';
    t.match(JSON.parse(logged), {
      level: 50,
      requestId: answer.headers.get('x-request-id'),
      err: { message: /^blob / },
    });
  }
});

test('a large damaged file breaks off before its damage, and is logged', async (t) => {
  const { upload, folder, files, service, key } = await joinDocumentService();
  const bytes = randomBytes(3_000_000);
  const { documentId } = (await upload({ name: 'a', bytes })).body.data;
  const file = join(folder, (await files()).kept[0] ?? '');
  const stored = await readFile(file);
  const headers = { authorization: `Bearer ${key}` };
  for (const at of [stored.length - 1, 1_500_000]) {
    const damaged = Buffer.from(stored);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    await writeFile(file, damaged);
    const response = await fetch(`${service.url}/api/v1/documents/${documentId}/file`, { headers });
    t.equal(response.status, 200, 'the answer had begun');
    const received: Uint8Array[] = [];
    const read = async () => {
      for await (const chunk of response.body ?? []) received.push(chunk);
    };
    await t.rejects(read(), `byte ${at}`);
    const whole = Buffer.concat(received);
    t.ok(whole.length < at && whole.equals(bytes.subarray(0, whole.length)), 'no wrong byte');
    const logged =
      service.log.findLast((line) => line.includes('"unexpected error in a request"')) ?? '{}';
    const message = /^blob .* its segment \d+ is not the one that was written/;
    t.match(JSON.parse(logged), { level: 50, err: { message } });
  }
});

test('while the storage is away the answer is 503 with Retry-After', async (t) => {
  const real = await openFileStorage(await newFolder(t));
  let away = false;
  const storage = Object.assign(Object.create(real), {
    stage: (...args: Parameters<typeof real.stage>) => real.stage(...args),
    put: (...args: Parameters<typeof real.put>) => real.put(...args),
    close: () => real.close(),
    open: (...args: Parameters<typeof real.open>) =>
      away ? Promise.reject(new StorageUnavailable('the bucket my-secret')) : real.open(...args),
  });
  const { upload, get } = await joinDocumentService(t, { services: { files: { storage } } });
  const { documentId } = (await upload({ bytes: 'x' })).body.data;
  away = true;
  const answer = await get(`/documents/${documentId}/file`);
  t.match(answer, { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  t.match(answer.headers.get('retry-after'), /^[1-9]\d*$/);
  t.notMatch(answer.text, /my-secret/);
  away = false;
  t.equal((await get(`/documents/${documentId}/file`)).text, 'x');
});

test('a client that hangs up during a file leaves nothing open and logs no fault', async (t) => {
  const { upload, service, key, storage } = await joinDocumentService(t);
  const { documentId } = (await upload({ name: 'a', bytes: randomBytes(20_000_000) })).body.data;
  const opened: { destroyed: boolean }[] = [];
  const { open } = storage;
  storage.open = async (...args) => {
    const file = await open.apply(storage, args);
    opened.push(file);
    return file;
  };
  for (let count = 0; count < 3; count += 1) {
    const request = httpGet(`${service.url}/api/v1/documents/${documentId}/file`, {
      headers: { authorization: `Bearer ${key}` },
      agent: false,
    });
    request.on('error', () => {});
    const [response] = await once(request, 'response');
    await once(response, 'data');
    request.destroy();
  }
  await until('all files are closed', async () => opened.every(({ destroyed }) => destroyed));
  t.equal(opened.length, 3);
  t.notMatch(service.log.join('\n'), /"level":(40|50)/);
});
