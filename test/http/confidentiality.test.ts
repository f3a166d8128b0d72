import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import tap, { type Test, test } from 'tap';
import { createWorkspace } from '../../src/commands/create-workspace.ts';
import { identifyPerson } from '../../src/commands/identify-person.ts';
import { invitePerson } from '../../src/commands/invite-person.ts';
import { registerPerson } from '../../src/commands/register-person.ts';
import { parseInvitation } from '../../src/domain/person/invitation-token.ts';
import { presentPeople } from '../../src/domain/person/state.ts';
import type { OrganisationId } from '../../src/domain/ulid.ts';
import { startSession } from '../../src/http/console/sessions.ts';
import { createAddressReader } from '../../src/http/limits/client-address.ts';
import { createAddressRecorder } from '../../src/http/limits/recorded-address.ts';
import { loadPeople } from '../../src/loading/load-people.ts';
import { FileStorage } from '../../src/storage/file-storage.ts';
import type { ObjectStorage } from '../../src/storage/object-storage.ts';
import { parseS3Url } from '../../src/storage/s3-location.ts';
import { S3Storage } from '../../src/storage/s3-storage.ts';
import { newFolder } from '../support/blobs.ts';
import { dumpDatabase, formsOf } from '../support/dump-database.ts';
import { createErasureSite, operatorOfSite } from '../support/erasure-site.ts';
import { testDeps } from '../support/event-store.ts';
import { someText } from '../support/forms.ts';
import type { HttpService } from '../support/http-service.ts';
import { projectRoot } from '../support/run.ts';
import { s3Bucket, startS3Server } from '../support/s3-server.ts';

const server = await startS3Server(tap);

/** Addresses that a trusted proxy names: of a caller with a key, and of one without. */
const recordedClient = '203.0.113.197';
const openClient = '198.51.100.198';

/** Kept in unlogged tables, which are not in the WAL. */
const unlogged = ['addresses of callers without a key', 'sessions of people'];

type Cell = 'clear' | 'hash' | '–';
type Place = 'database' | 'folder' | 'bucket' | 'logs' | 'public';
const places: readonly Place[] = ['database', 'folder', 'bucket', 'logs', 'public'];

test('what can be read in each place is what docs/confidentiality.md says', async (t) => {
  const documented = await readTable();
  const { values, found } = await fillAndDump(t);
  t.strictSame(Object.keys(values).sort(), [...documented.keys()].sort(), 'the same kinds of data');
  for (const [kind, given] of Object.entries(values)) {
    const texts = given.filter((text) => text !== undefined).filter(({ length }) => length >= 8);
    t.equal(texts.length, given.length, `${kind}: marked values`);
    for (const place of places) {
      const cells = new Set(texts.map((text) => cellOf(text, found[place])));
      const expected = new Set([documented.get(kind)?.[place]]);
      t.strictSame(cells, expected, `${kind}: ${place}`);
    }
    // PostgreSQL may or may not have written the table to its file.
    if (unlogged.includes(kind)) continue;
    const expected = documented.get(kind)?.database === 'clear' ? 'clear' : '–';
    const isHash = documented.get(kind)?.database === 'hash';
    for (const text of texts) {
      const cell = cellOf(text, found.files);
      if (!isHash) t.equal(cell, expected, `${kind}: files and WAL of the database`);
      else t.not(cell, 'clear', `${kind}: files and WAL of the database`);
    }
  }
});

/** The cells of the document's table, by kind of data and place. */
async function readTable(): Promise<ReadonlyMap<string, Readonly<Record<Place, Cell>>>> {
  const text = await readFile(join(projectRoot, 'docs/confidentiality.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [head, ...body] = rows;
  if (head?.join() !== ['data', ...places].join()) throw new Error('the table has other columns');
  return new Map(
    body.map(([kind = '', ...cells]) => [
      kind,
      Object.fromEntries(places.map((place, index) => [place, cells[index]])) as Record<
        Place,
        Cell
      >,
    ]),
  );
}

/** Strongest way in which a text can be read in a place. */
function cellOf(text: string, place: readonly Buffer[]): Cell {
  const has = (forms: readonly Buffer[]) =>
    forms.some((form) => place.some((bytes) => bytes.includes(form)));
  if (has(bytesOf(text))) return 'clear';
  const digest = createHash('sha256').update(text).digest('hex');
  return has(bytesOf(digest)) ? 'hash' : '–';
}

/** The usual encodings of a text; of a hexadecimal one also its bytes. */
function bytesOf(text: string): readonly Buffer[] {
  const forms = formsOf(text).map((form) => Buffer.from(form));
  if (!/^([0-9a-f]{2}){16,}$/i.test(text)) return forms;
  const bytes = Buffer.from(text, 'hex');
  const upper = Buffer.from(text.toUpperCase());
  return [
    ...forms,
    bytes,
    upper,
    ...formsOf(bytes.toString('latin1')).map((form) => Buffer.from(form, 'latin1')),
  ];
}

/** Fills every field with marked values; returns them by kind of data, and the content of each place. */
async function fillAndDump(t: Test) {
  const folder = await newFolder(t);
  const stagingFolder = await newFolder(t);
  const location = parseS3Url(`s3://${s3Bucket}?endpoint=${server.endpoint}`);
  const bucket = await S3Storage.open(location, { stagingFolder });
  t.teardown(() => bucket.close());
  const objects = inBoth(await FileStorage.open(folder), bucket);
  const proxy = ['127.0.0.1/32'];
  const services = {
    limits: { addressOf: createAddressReader(proxy) },
    calls: { recordedAddress: createAddressRecorder('full', proxy) },
  };
  const site = await createErasureSite(t, { objects, masterKey: randomBytes(32), services });
  const { service, beside } = site;
  const { rows } = await beside.pool.query<{ wal: string }>(
    'SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS wal',
  );
  const mark = randomBytes(6).toString('hex');
  const [workspace, keyName, type] = [`workspace ${mark}`, `key ${mark}`, `text/x-${mark}`];
  const organisation = await service.openOrganisation('professional', workspace);
  const { organisationId, workspaceId, key } = organisation;
  const { dictionary: own, salted, plain } = await site.fill(organisation);
  const form = new FormData();
  form.append('workspace', workspaceId);
  form.append('file', new Blob([new Uint8Array(someText())], { type }), 'typed.txt');
  const typed = await service.call('POST', '/documents', { key, body: form });
  const json = { name: keyName, scopes: ['documents:read'] };
  const forwarded = { 'x-forwarded-for': recordedClient };
  const issued = await service.call('POST', '/api-keys', { key, json, headers: forwarded });
  await createWorkspace(
    { ...testDeps, store: beside.store },
    { organisationId, name: 'B' },
    site.session.meta,
  );
  const open = { headers: { 'x-forwarded-for': openClient } };
  await service.call('GET', `/api/public/verify/${salted}`, open);
  const searched = `searched-${mark}`;
  const listed = await service.call('GET', `/documents?search=${searched}`, { key });
  t.match([typed.status, issued.status, listed.status], [201, 201, 200]);
  const { proofId, documentId } = typed.body.data;
  const certificate = `${service.url}/api/v1/certificates/${proofId}`;
  const before = await readdir(join(folder, organisationId));
  const pdf = await fetchBytes(certificate, key);
  const [stored = ''] = (await readdir(join(folder, organisationId))).filter(
    (name) => !before.includes(name),
  );
  // Logged: it is made anew.
  await rm(join(folder, organisationId, stored));
  await fetchBytes(certificate, key);
  await site.settle();
  const shared = { key, json: { showFileName: true } };
  const link = await service.call('POST', `/proofs/${proofId}/links`, shared);
  t.equal(link.status, 201);
  const { url: address } = link.body.data;
  const token = address.split('/').at(-1);
  t.equal((await fetch(address)).status, 200);
  const person = await fillPerson(service, organisationId, mark);
  const { size } = await service.publish();
  const keys = await service.keyring.find(organisationId);
  if (keys === null) throw new Error('the organisation has no keys');
  const secrets = [service.masterKey, keys.dataKey, keys.indexKey];
  const { rows: committed } = await beside.pool.query<{ commitment: string }>(
    `SELECT data::json ->> 'commitment' AS commitment FROM events
     WHERE type = 'ProofRequested' AND data::json ->> 'hashScheme' <> 'sha256-plain-v1'`,
  );
  const values: Readonly<Record<string, readonly (string | undefined)[]>> = {
    'bytes of stored files': [own.bytes],
    'certificates and bundles': [pdf.subarray(-3_000, -2_968).toString('hex')],
    'SHA-256 of files': [own.first, own.second, own.alone],
    'SHA-256 of files with a plain proof': [own.plainHash],
    'commitments of salted proofs': [committed[0]?.commitment],
    'nonces of proofs': [own.nonce],
    'file names': [own.fileName, own.revisedName, own.aloneName],
    'declared types of files': [type],
    'descriptions, metadata, classifications': [own.description, own.aloneDescription, own.reason],
    'reports of agents': [own.runId, own.objective, own.subject, own.action],
    'names of organisations, workspaces and API keys': [workspace, keyName],
    'API keys': [key, issued.body.data.key],
    'tokens of shared links': [token],
    'URLs and descriptions of webhook endpoints': [own.url, own.endpoint],
    'secrets of webhook endpoints': [own.secret],
    'texts that callers search for': [searched],
    'names and e-mail addresses of people': [person.name, person.email],
    'identities of people': [person.subject],
    'passkeys of people': [person.passkey.credentialId, person.passkey.publicKey],
    'invitations of people': [person.invitation],
    'sessions of people': [person.session],
    'names of operators': [operatorOfSite],
    'recorded addresses of clients': [recordedClient],
    'addresses of callers without a key': [openClient],
    'transaction hashes': [salted, plain],
    'ids of organisations': [organisationId],
    'ids of proofs': [proofId],
    'ids of documents': [documentId],
    'master key and keys of organisations': secrets.map((secret) => secret.toString('hex')),
  };
  const dump = await dumpDatabase(beside.pool);
  const found = {
    database: [Buffer.from(dump), Buffer.from(dump, 'latin1')],
    files: await databaseFiles(beside.pool, rows[0]?.wal ?? ''),
    folder: await contentOf(folder),
    bucket: await contentOf(server.folder),
    logs: [Buffer.from(service.log.join('\n'))],
    public: await publicAnswers(service.url, [salted, plain], { proofId, size }),
  };
  t.ok(found.folder.length >= 6 && found.bucket.length >= 6, 'both hold the files');
  return { values, found };
}

/** Invites a person and registers it; returns all that is secret or personal. */
async function fillPerson(
  { store, services }: HttpService,
  organisationId: OrganisationId,
  mark: string,
) {
  const deps = { ...testDeps, store };
  const email = `person-${mark}@example.org`;
  const order = { organisationId, role: 'owner', email } as const;
  const { invitation } = await invitePerson(deps, order, { actor: 'operator' });
  const parsed = parseInvitation(invitation);
  if (parsed === null) throw new Error('the invitation cannot be read');
  const passkey = {
    credentialId: `credential-${mark}`,
    publicKey: `public-${mark}`,
    transports: [],
  };
  const name = `Person ${mark}`;
  await registerPerson(deps, { ...parsed, name, passkey }, { actor: 'console' });
  const [person] = presentPeople(await loadPeople(store, organisationId));
  if (person === undefined) throw new Error('nobody is registered');
  const { personId, registrations: registration } = person;
  const sessions = { ...services.events, ...services.sources };
  const session = await startSession(sessions, { organisationId, personId, registration });
  const subject = `subject-${mark}`;
  const identity = { issuer: 'https://accounts.example', subject };
  const again = parseInvitation(
    (await invitePerson(deps, order, { actor: 'operator' })).invitation,
  );
  if (again === null) throw new Error('the second invitation cannot be read');
  const signIn = { ...again, personId, identity, email, name };
  await identifyPerson(deps, signIn, { actor: 'console' });
  return { name, email, passkey, subject, session, invitation: invitation.split('.')[1] };
}

/** Stores each file in both places; reads from the first one. */
function inBoth(first: ObjectStorage, second: ObjectStorage): ObjectStorage {
  return new Proxy(first, {
    get(target, name) {
      if (name === 'put') {
        return async (...[key, staged]: Parameters<ObjectStorage['put']>) => {
          await second.put(key, { ...staged, discard: async () => {} });
          await first.put(key, staged);
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function fetchBytes(url: string, key?: string): Promise<Buffer> {
  const headers: Record<string, string> =
    key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} is answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** All answers that need no key, about these transactions and this log. */
async function publicAnswers(
  url: string,
  transactions: readonly string[],
  { proofId, size }: { readonly proofId: string; readonly size: number },
) {
  const tile = `${Math.floor(size / 256)}`.padStart(3, '0');
  return Promise.all(
    [
      ...transactions.flatMap((hash) => [`/api/public/verify/${hash}`, `/verify/${hash}`]),
      ...['/log/checkpoint', `/log/tile/0/${tile}.p/${size % 256}`, '/verify'],
      ...['/log/checkpoints', `/log/leaves/${size - 1}`, `/log/proofs/${proofId}`],
    ].map((path) => fetchBytes(`${url}${path}`)),
  );
}

/** Names and bytes of all files. */
async function contentOf(folder: string): Promise<readonly Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  const names = Buffer.from(paths.map((path) => path.slice(folder.length)).join('\n'));
  return [names, ...(await Promise.all(paths.map((path) => readFile(path))))];
}

/** PostgreSQL's files of the database, and its WAL from one file on. */
async function databaseFiles(pool: pg.Pool, firstWal: string): Promise<readonly Buffer[]> {
  await pool.query('CHECKPOINT');
  const { rows } = await pool.query<{ data: string; oid: string }>(
    `SELECT current_setting('data_directory') AS data, oid FROM pg_database
     WHERE datname = current_database()`,
  );
  const { data = '', oid = '' } = rows[0] ?? {};
  const wal = (await readdir(join(data, 'pg_wal'))).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= firstWal,
  );
  const segments = wal.map((name) => readFile(join(data, 'pg_wal', name)));
  return [...(await contentOf(join(data, 'base', String(oid)))), ...(await Promise.all(segments))];
}
