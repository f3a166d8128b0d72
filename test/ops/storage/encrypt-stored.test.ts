import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { encryptStored } from '../../../ops/storage/encrypt-stored.ts';
import { FileStorage } from '../../../src/storage/file-storage.ts';
import { newBlobKey } from '../../support/blobs.ts';
import { joinDocumentService } from '../../support/document-service.ts';

/** An organisation with three documents, the first `plain` of them stored in clear. */
async function newSite(t: Test, plain: number) {
  const site = await joinDocumentService();
  t.teardown(() => site.storage.deleteAll(site.organisationId));
  const { service, folder, files, upload, get } = site;
  const texts = ['first text', 'second text', 'third text'];
  const documents: { id: string; name: string; text: string }[] = [];
  for (const text of texts) {
    const known = new Set((await files()).kept);
    const { documentId: id } = (await upload({ name: 'a.txt', bytes: text })).body.data;
    const name = (await files()).kept.find((kept) => !known.has(kept)) ?? '';
    documents.push({ id, name: name.replace('.enc', ''), text });
  }
  for (const { name, text } of documents.slice(0, plain)) {
    await rm(join(folder, `${name}.enc`));
    await writeFile(join(folder, name), text);
  }
  const objects = await FileStorage.open(folder);
  const cancelled = new AbortController();
  const options = {
    ...{ store: service.store, objects, dataKeys: service.keyring },
    ...{ onFile: () => {}, cancelled: cancelled.signal, batchSize: 2 },
  };
  const read = async (id: string) => (await get(`/documents/${id}/file`)).text;
  return { ...site, documents, objects, options, cancelled, read };
}

test('encrypts each plain file, and can be repeated', async (t) => {
  const { documents, options, files, folder, read } = await newSite(t, 3);
  const shown: number[] = [];
  const onFile = (done: number) => void shown.push(done);
  const found = await encryptStored({ ...options, onFile });
  t.strictSame(found, { encrypted: 3, damaged: [], unnamed: 0 });
  t.strictSame(shown, [1, 2, 3]);
  const { kept, staged } = await files();
  t.strictSame([kept.sort(), staged], [documents.map(({ name }) => `${name}.enc`).sort(), []]);
  for (const { id, name, text } of documents) {
    t.equal(await read(id), text);
    t.notOk((await readFile(join(folder, `${name}.enc`))).includes(text));
  }
  t.strictSame(await encryptStored(options), { encrypted: 0, damaged: [], unnamed: 0 });
});

test('when it is interrupted at any file, each file can be read, and the next call ends the work', async (t) => {
  const { documents, options, objects, read, files } = await newSite(t, 3);
  const readable = async (when: string) => {
    for (const { id, text } of documents) t.equal(await read(id), text, when);
  };
  const killed = new Error('killed');
  for (const step of ['put', 'delete'] as const) {
    const dying = Object.assign(Object.create(objects), {
      stage: (...args: Parameters<typeof objects.stage>) => objects.stage(...args),
      open: (...args: Parameters<typeof objects.open>) => objects.open(...args),
      list: () => objects.list(),
      put: (...args: Parameters<typeof objects.put>) => objects.put(...args),
      [step]: async () => {
        throw killed;
      },
    });
    await t.rejects(encryptStored({ ...options, objects: dying }), killed);
    await readable(`after a failed ${step}`);
  }
  const both = (await files()).kept.filter((name) => !name.endsWith('.enc')).length;
  t.equal(both, 3, 'no plain file is deleted before its encrypted form is stored');
  t.match(await encryptStored(options), { encrypted: 3, damaged: [] });
  await readable('at the end');
  t.strictSame(
    (await files()).kept.filter((name) => !name.endsWith('.enc')),
    [],
  );
});

test('leaves a damaged plain file as it is, and names it', async (t) => {
  const { documents, options, folder, read, organisationId } = await newSite(t, 2);
  const [damaged, other] = documents;
  if (damaged === undefined || other === undefined) throw new Error('documents are missing');
  await writeFile(join(folder, damaged.name), 'FIRST TEXT');
  await writeFile(join(folder, newBlobKey(organisationId)), 'of no document');
  const found = await encryptStored(options);
  t.strictSame(found, { encrypted: 1, damaged: [damaged.name], unnamed: 1 });
  t.equal(await readFile(join(folder, damaged.name), 'utf8'), 'FIRST TEXT');
  t.equal(await read(other.id), other.text);
});

test('replaces a damaged encrypted file by the plain one', async (t) => {
  const { documents, options, folder, read } = await newSite(t, 1);
  const [{ id, name, text } = { id: '', name: '', text: '' }, { name: second } = { name: '' }] =
    documents;
  await writeFile(join(folder, `${name}.enc`), await readFile(join(folder, `${second}.enc`)));
  t.match(await encryptStored(options), { encrypted: 1, damaged: [] });
  t.equal(await read(id), text);
  const digest = createHash('sha256').update(await readFile(join(folder, `${name}.enc`)));
  await rename(join(folder, `${name}.enc`), join(folder, 'elsewhere'));
  await writeFile(join(folder, name), text);
  await rename(join(folder, 'elsewhere'), join(folder, `${name}.enc`));
  t.match(await encryptStored(options), { encrypted: 1, damaged: [] });
  const again = createHash('sha256').update(await readFile(join(folder, `${name}.enc`)));
  t.equal(again.digest('hex'), digest.digest('hex'), 'a right one is not written again');
});

test('ends when an organisation loses its key meanwhile, and leaves its files to the sweep', async (t) => {
  const { options, files } = await newSite(t, 3);
  const dataKeys = { find: async () => null };
  const found = await encryptStored({ ...options, dataKeys });
  t.strictSame(found, { encrypted: 0, damaged: [], unnamed: 3 });
  t.equal((await files()).kept.filter((name) => name.endsWith('.enc')).length, 0);
});

test('is cancelled between two files', async (t) => {
  const { options, cancelled, files } = await newSite(t, 3);
  const onFile = () => cancelled.abort();
  await t.rejects(encryptStored({ ...options, onFile }), { name: 'AbortError' });
  t.equal((await files()).kept.filter((name) => name.endsWith('.enc')).length, 1);
});
