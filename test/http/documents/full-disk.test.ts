import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'tap';
import { DiskSpace } from '../../../src/storage/disk-space.ts';
import { FileStorage } from '../../../src/storage/file-storage.ts';
import { joinDocumentService } from '../../support/document-service.ts';
import { fieldPart, filePart, formType, rawForm, sha256, someText } from '../../support/forms.ts';
import { kindsOfDisk, smallDisk } from '../../support/full-disk.ts';
import { until } from '../../support/until.ts';

for (const kind of kindsOfDisk) {
  test(`a disk that fills during an upload, ${kind}: 503, and everything else goes on`, async (t) => {
    const disk = await smallDisk(t, kind);
    if (disk === null) return;
    const objects = await FileStorage.open(disk.folder);
    // No mark: the writes themselves find no space.
    const uploadSpace = new DiskSpace({ storage: disk.folder, minFreeBytes: 0, pauseMs: 20 });
    const site = await joinDocumentService(t, { objects, services: { files: { uploadSpace } } });
    const { upload, types, service, key, workspace, get } = site;
    const stored = await upload();
    t.equal(stored.status, 201);
    const before = await types();
    const kept = (await storedFiles(objects)).length;

    const form = rawForm([
      fieldPart('workspace', workspace),
      filePart('filename="a.txt"', Buffer.alloc(3_000_000, 'a')),
    ]);
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    socket.on('error', () => {});
    const head = [
      'POST /api/v1/documents HTTP/1.1',
      ...['Host: x', `Authorization: Bearer ${key}`],
      ...[`Content-Type: ${formType['content-type']}`, `Content-Length: ${form.length}`],
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(form.subarray(0, 300_000));
    await until('it is being received', async () => (await stagedFiles(disk.folder)).length > 0);
    await disk.fill();
    // Most of the body never arrives: the answer does not wait for it.
    const closed = once(socket, 'close');
    socket.write(form.subarray(300_000, 1_000_000));
    await closed;
    t.match(answer, /^HTTP\/1.1 503 /);
    t.match(answer, /\r\nRetry-After: 60\r\n/i);
    t.match(answer, /"code":"SERVICE_UNAVAILABLE","message":"the service has no space for files/);
    await until('nothing is staged', async () => (await stagedFiles(disk.folder)).length === 0);
    t.strictSame([(await storedFiles(objects)).length, await types()], [kept, before]);

    // The space of the file that was given up.
    await disk.fill();
    const refused = await upload();
    t.match(refused, { status: 503, body: { message: /no space/ } });
    const json = { hash: sha256(someText()), workspace };
    const proven = await service.call('POST', '/proofs', { key, json });
    t.equal(proven.status, 201, 'a hash is anchored');
    t.equal((await get(`/documents/${stored.body.data.documentId}/file`)).status, 200);
    t.equal((await get('/documents')).status, 200);

    await disk.free();
    await until('uploads are accepted again', async () => (await upload()).status === 201);
    t.strictSame(await uploadSpace.stops(), []);
    t.notMatch(service.log.join('\n'), /"level":50/, 'no fault');
  });
}

test('below the free-space mark an upload is refused before its body is received', async (t) => {
  let freeBytes = 1_000_000;
  const measure = async () => ({ freeBytes, sizeBytes: 1e9, freeFiles: null, disk: 1 });
  const uploadSpace = new DiskSpace({ storage: '/', minFreeBytes: 500_000, measure });
  const site = await joinDocumentService(t, { services: { files: { uploadSpace } } });
  const { upload, revise, service, key, workspace } = site;
  const { status, body } = await upload();
  t.equal(status, 201);
  const large = Buffer.alloc(600_000, 'a');
  t.match(await upload({ bytes: large }), { status: 503 }, 'it would pass the mark');
  freeBytes = 400_000;

  const form = rawForm([fieldPart('workspace', workspace), filePart('filename="a.txt"', large)]);
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  const head = [
    'POST /api/v1/documents HTTP/1.1',
    ...['Host: x', `Authorization: Bearer ${key}`, 'Expect: 100-continue'],
    ...[`Content-Type: ${formType['content-type']}`, `Content-Length: ${form.length}`],
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await until('it is answered', async () => answer.includes('no space'));
  socket.destroy();
  t.match(answer, /^HTTP\/1.1 503 /, 'without 100 Continue');
  t.match(answer, /\r\nRetry-After: 60\r\n/i);
  t.equal((await revise(body.data.documentId)).status, 503);
  const json = { hash: sha256(someText()), workspace };
  t.equal((await service.call('POST', '/proofs', { key, json })).status, 201);
  const certificate = await service.call('GET', `/certificates/${body.data.proofId}`, { key });
  t.equal(certificate.status, 200, 'the reserve is for small files such as certificates');
  freeBytes = 1_000_000;
  t.equal((await upload()).status, 201);
});

async function storedFiles(objects: FileStorage) {
  const keys: string[] = [];
  for await (const { key } of objects.list()) keys.push(key);
  return keys;
}

async function stagedFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, '.staging'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
