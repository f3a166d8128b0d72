import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Test, test } from 'tap';
import { ulid } from 'ulid';
import { startDocumentService } from '../../support/document-service.ts';
import { fieldPart, filePart, formType, rawForm } from '../../support/forms.ts';
import { onThisMachine } from '../../support/on-this-machine.ts';
import { until } from '../../support/until.ts';

type Site = Awaited<ReturnType<typeof startDocumentService>>;

/** A connection with a begun upload, whose form is sent piece by piece. */
function begin(
  { service, key }: Site,
  length: number | 'chunked',
  headers: readonly string[] = [],
  path = '/documents',
): { socket: Socket; text: () => string; closed: Promise<unknown> } {
  const socket = connect({ port: service.port, host: '127.0.0.1' });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const lines = [
    `POST /api/v1${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${formType['content-type']}`,
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  // `once` would reject if the connection is reset before it is closed.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return { socket, text: () => text, closed };
}

const statusOf = (text: string) => Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]);

async function isClean(t: Test, { files, types, service }: Site, before: readonly string[]) {
  await until('nothing is staged', async () => (await files()).staged.length === 0);
  t.strictSame((await files()).kept, []);
  t.strictSame(await types(), before, 'nothing was appended');
  t.notMatch(service.log.join('\n'), /"level":(40|50)/);
}

test('an upload that breaks off at any byte leaves nothing behind', async (t) => {
  const site = await startDocumentService(t);
  const before = await site.types();
  const form = rawForm([
    fieldPart('workspace', site.workspace),
    filePart('filename="a.txt"', Buffer.alloc(2_000_000, 'a')),
    fieldPart('description', 'x'),
  ]);
  const places = [0, 1, 60, 150, 250, 260, 1_000, 70_000, 1_000_000, form.length - 120];
  places.push(form.length - 60, form.length - 30, form.length - 1);
  for (const place of places) {
    const { socket, closed } = begin(site, form.length);
    socket.write(form.subarray(0, place));
    if (place > 1_000) {
      await until(
        'the upload is being received',
        async () => (await site.files()).staged.length > 0,
      );
    }
    socket.destroy();
    await closed;
  }
  await isClean(t, site, before);
});

test('an upload that stalls is cut off, and nothing of it stays', async (t) => {
  const site = await startDocumentService(t, {
    limits: { uploadIdleMs: 500, checkIntervalMs: 50 },
  });
  const before = await site.types();
  const form = rawForm([
    fieldPart('workspace', site.workspace),
    filePart('filename="a.txt"', Buffer.alloc(500_000, 'a')),
  ]);
  const { socket, text, closed } = begin(site, form.length);
  socket.write(form.subarray(0, 300_000));
  const started = performance.now();
  await closed;
  t.equal(statusOf(text()), 408);
  t.ok(performance.now() - started < (await onThisMachine(20_000)));
  await isClean(t, site, before);
});

test('an upload that trickles forever is cut off', async (t) => {
  const site = await startDocumentService(t, {
    limits: { requestTimeoutMs: 500, uploadBytesPerSecond: 10_000, checkIntervalMs: 50 },
  });
  const before = await site.types();
  const form = rawForm([
    fieldPart('workspace', site.workspace),
    filePart('filename="a.txt"', Buffer.alloc(5_000_000, 'a')),
  ]);
  const { socket, text, closed } = begin(site, form.length);
  socket.write(form.subarray(0, 1_000));
  const trickle = setInterval(() => socket.writable && socket.write('a'), 20);
  const started = performance.now();
  await closed;
  clearInterval(trickle);
  t.equal(statusOf(text()), 408);
  t.ok(performance.now() - started < (await onThisMachine(20_000)));
  await isClean(t, site, before);
});

test('an upload on a slow line may take long if it keeps the minimum pace', async (t) => {
  const site = await startDocumentService(t, {
    limits: {
      requestTimeoutMs: 1_000,
      // A busy machine pauses too.
      uploadIdleMs: 20_000,
      uploadBytesPerSecond: 1_000,
      checkIntervalMs: 50,
    },
  });
  const form = rawForm([
    fieldPart('workspace', site.workspace),
    filePart('filename="a.txt"', Buffer.alloc(100_000, 'a')),
  ]);
  const { socket, text } = begin(site, form.length);
  const started = performance.now();
  for (let sent = 0; sent < form.length; sent += 4_000) {
    socket.write(form.subarray(sent, sent + 4_000));
    await delay(60);
  }
  await until('the upload is answered', async () => statusOf(text()) === 201);
  t.ok(performance.now() - started > 1_200);
  socket.destroy();
});

test('an oversized upload is refused while it arrives', async (t) => {
  const site = await startDocumentService(t, {
    services: { files: { maxUploadBytes: 200_000 } },
    limits: { lingerMs: 300 },
  });
  const before = await site.types();
  const declared = begin(site, 50_000_000);
  await until('the upload is answered at once', async () => statusOf(declared.text()) === 413);
  declared.socket.destroy();

  for (const [first, next] of [
    [filePart('filename="a.txt"', ''), 'a'],
    [fieldPart('workspace', ''), 'a'],
    [filePart('filename="a.txt"', '', 'other'), 'a'],
  ] as const) {
    const { socket, text, closed } = begin(site, 'chunked');
    const chunk = (bytes: Buffer | string) => {
      const size = Buffer.byteLength(bytes).toString(16);
      socket.write(
        Buffer.concat([
          Buffer.from(`${size}\r\n`),
          Buffer.from(bytes as string),
          Buffer.from('\r\n'),
        ]),
      );
    };
    chunk(rawForm([first], { end: false }).subarray(0, -2));
    const more = setInterval(() => socket.writable && chunk(next.repeat(50_000)), 5);
    await closed;
    clearInterval(more);
    t.ok([400, 413].includes(statusOf(text())), text().slice(0, 100));
  }
  await isClean(t, site, before);
});

test('a client that waits for "100 Continue" gets the refusal without sending its body', async (t) => {
  const site = await startDocumentService(t, { services: { files: { maxUploadBytes: 10_000 } } });
  const expect = ['Expect: 100-continue'];
  const form = rawForm([
    fieldPart('workspace', site.workspace),
    filePart('filename="a.txt"', 'with patience'),
  ]);
  const accepted = begin(site, form.length, expect);
  await until('"100 Continue" arrives', async () => statusOf(accepted.text()) === 100);
  accepted.socket.write(form);
  await until('the upload is answered', async () => accepted.text().includes('HTTP/1.1 201'));
  accepted.socket.destroy();

  const stranger = { ...site, key: 'svc_live_0' };
  const refused = begin(stranger, form.length, [...expect, 'Connection: close']);
  await refused.closed;
  t.equal(statusOf(refused.text()), 401);
  t.equal(refused.text().match(/HTTP\/1.1/g)?.length, 1);
});

test('a revision of an unknown document is refused before its body is received', async (t) => {
  const site = await startDocumentService(t, { limits: { lingerMs: 300 } });
  const { documentId } = (await site.upload()).body.data;
  const foreign = await site.service.openOrganisation();
  const before = await site.types();
  const form = rawForm([filePart('filename="a.txt"', Buffer.alloc(500_000, 'a'))]);
  const expect = ['Expect: 100-continue', 'Connection: close'];
  for (const [who, id, status] of [
    [site, 'x', 400],
    [site, ulid(), 404],
    [{ ...site, ...foreign }, documentId, 404],
  ] as const) {
    const path = `/documents/${id}/version`;
    const patient = begin(who, form.length, expect, path);
    await patient.closed;
    t.equal(statusOf(patient.text()), status, 'no "100 Continue"');
    const hasty = begin(who, form.length, [], path);
    hasty.socket.write(form.subarray(0, 200_000));
    await until('the upload is answered at once', async () => statusOf(hasty.text()) === status);
    t.strictSame((await site.files()).staged, []);
    hasty.socket.destroy();
    await hasty.closed;
  }
  t.strictSame(await site.types(), before);
  t.equal((await site.files()).kept.length, 1);
});

test('an upload refused by its headers gets no "100 Continue"', async (t) => {
  const site = await startDocumentService(t, { services: { files: { maxUploadBytes: 10_000 } } });
  const expect = ['Expect: 100-continue', 'Connection: close'];
  for (const [length, headers, status] of [
    [50_000_000, [], 413],
    [100, ['Content-Encoding: gzip'], 415],
  ] as const) {
    const { text, closed } = begin(site, length, [...expect, ...headers]);
    await closed;
    t.equal(statusOf(text()), status);
  }
});

test('a stopping service lets an upload finish in time, and cuts off a stalled one', async (t) => {
  // The answer waits for the anchoring, which takes longer on a busy machine than the usual 200 ms.
  const site = await startDocumentService(t, { services: { lifecycle: { drainGraceMs: 5_000 } } });
  const form = rawForm([
    fieldPart('workspace', site.workspace),
    filePart('filename="a.txt"', Buffer.alloc(300_000, 'a')),
  ]);
  const ending = begin(site, form.length);
  const stuck = begin(site, form.length);
  for (const { socket } of [ending, stuck]) socket.write(form.subarray(0, 200_000));
  await until(
    'both uploads are being received',
    async () => (await site.files()).staged.length === 2,
  );
  site.service.drain();
  const stopping = site.service.server.stop(6_000);
  ending.socket.write(form.subarray(200_000));
  await ending.closed;
  t.equal(statusOf(ending.text()), 201);
  await stopping;
  await stuck.closed;
  await until('nothing is staged', async () => (await site.files()).staged.length === 0);
  t.equal((await site.files()).kept.length, 1);
});
