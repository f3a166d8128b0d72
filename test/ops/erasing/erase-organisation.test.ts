import { createHash, createHmac } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { type ErasureStep, eraseOrganisation } from '../../../ops/erasing/erase-organisation.ts';
import { documents } from '../../../projections/documents/project.ts';
import { projections } from '../../../projections/registry.ts';
import { invitePerson } from '../../../src/commands/invite-person.ts';
import { checkBlobKey } from '../../../src/domain/blob/blob-key.ts';
import { parseInvitation } from '../../../src/domain/person/invitation-token.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import { encryptedSize } from '../../../src/encrypted-files/format.ts';
import { leafHash, textHash } from '../../../src/event-store/leaf.ts';
import type { EventRow } from '../../../src/event-store/stored-event.ts';
import { makeChallenge } from '../../../src/http/console/challenges.ts';
import { purposeOfFlow } from '../../../src/http/console/oidc/sign-in-flow.ts';
import type { BlobStorage } from '../../../src/storage/contract.ts';
import { isErasable } from '../../../src/subscriptions/erasable.ts';
import { countFileWork } from '../../../src/subscriptions/file-work.ts';
import { listBuilds } from '../../../src/subscriptions/projection-builds.ts';
import {
  type RebuildProgress,
  rebuildProjection,
} from '../../../src/subscriptions/rebuild-projection.ts';
import { openWorkLocks } from '../../../src/subscriptions/work-locks.ts';
import { signedIn } from '../../support/console-person.ts';
import { dumpDatabase, formsOf } from '../../support/dump-database.ts';
import { createErasureSite, type ErasureSite } from '../../support/erasure-site.ts';
import { testDeps } from '../../support/event-store.ts';
import { fieldPart, filePart, formType, rawForm, someText } from '../../support/forms.ts';
import type { HttpService, TestOrganisation } from '../../support/http-service.ts';
import { streamNamed } from '../../support/stream-named.ts';
import { until } from '../../support/until.ts';

/** Tables that change at the erasure of any organisation. */
const ofTheLog = /^public\.(published_checkpoints|checkpoints|log_head|request_counts|key_uses): /;
/**
 * Tables that may keep rows of an erased organisation, none of them confidential: also its public ledgers.
 * The keys of the service are made for the name of the operator.
 */
const ofTheErased =
  /^public\.(events|published_checkpoints|closed_organisations|anchors|evidence_ledgers|checkpoints|log_head|request_counts|key_uses): |^public\.data_keys: \((service|issuer-\d+),/;

test('after an erasure no confidential value is left, and another organisation keeps everything', async (t) => {
  const site = await createErasureSite(t);
  const { service, beside, storage, folder } = site;
  const kept = await service.openOrganisation();
  await site.fill(kept);
  const keptPerson = await signedIn(service, kept.organisationId, { email: 'kept@example.org' });
  await actInConsole(service, kept, keptPerson);
  await site.settle();
  const before = await dumpDatabase(beside.pool);
  const filesBefore = await filesOf(folder);
  const gone = await service.openOrganisation('professional', 'W0RKSPACE-of-gone');
  const gonePerson = await signedIn(service, gone.organisationId, { email: 'g0ne@example.org' });
  const { dictionary, salted, plain } = await site.fill(gone);
  await actInConsole(service, gone, gonePerson);
  await site.settle();
  await leaveOtherBuilds(t, site);
  await service.services.calls.keyUses.flush();
  const full = await dumpDatabase(beside.pool);
  for (const [name, text] of Object.entries({ ...dictionary, workspace: 'W0RKSPACE-of-gone' })) {
    const isEncrypted = ['url', 'endpoint', 'secret', 'nonce', 'bytes'].includes(name);
    if (!isEncrypted)
      t.ok(
        formsOf(text).some((form) => full.includes(form)),
        `${name} was there before`,
      );
  }

  const backup = await filesOf(folder);
  const steps: string[] = [];
  await eraseOrganisation(site.session, storage, gone.organisationId, ({ step }) =>
    steps.push(step),
  );
  t.strictSame(steps, [
    ...['closed', 'waiting', 'noted', 'keys destroyed', 'read models dropped', 'files deleted'],
    'vacuumed',
  ]);
  const dump = await dumpDatabase(beside.pool);
  const files = await filesOf(folder);
  const content = [...files]
    .map(([name, bytes]) => `${name} ${bytes.toString('latin1')}`)
    .join('\n');
  const guesses = Object.entries({ ...dictionary, workspace: 'W0RKSPACE-of-gone' });
  const found = guesses.flatMap(([name, text]) =>
    [text, ...hashesOf(text)]
      .flatMap(formsOf)
      .flatMap((form) => [
        ...(dump.includes(form) ? [`${name} in the database`] : []),
        ...(content.includes(form) ? [`${name} in the files`] : []),
      ]),
  );
  t.strictSame(found, []);
  const lines = new Set(rowsOf(dump));
  const lost = rowsOf(before).filter((line) => !lines.has(line) && !ofTheLog.test(line));
  t.strictSame(lost, [], 'the other organisation has all its rows');
  const known = new Set(rowsOf(before));
  const left = [...lines].filter((line) => !known.has(line) && !ofTheErased.test(line));
  t.strictSame(left, [], 'only the log is left of the erased organisation');
  const ownKeys = await beside.store.readLog(0, 1_000, ['KeyIssued']);
  for (const { organisationId: of, stream } of ownKeys) {
    const keyId = stream.slice('key-'.length);
    const counted = dump.includes(`key ${keyId}`);
    t.equal(
      dump.includes(`key_uses: (${keyId}`),
      counted,
      'last uses are kept only of counted keys',
    );
    t.equal(
      counted,
      of === kept.organisationId,
      'calls are counted only for keys of the other organisation',
    );
  }
  t.ok(full.includes(`items of organisation ${gone.organisationId}`));
  t.notOk(dump.includes(`items of organisation ${gone.organisationId}`), 'items are forgotten');
  for (const [name, bytes] of filesBefore) t.strictSame(files.get(name), bytes, name);
  const named = [...files.keys()].filter((name) => !filesBefore.has(name));
  t.strictSame(named, [`erased/${gone.organisationId}`]);

  t.match((await keptPerson.get('/console/people')).text, /kept@example\.org/);
  t.match((await gonePerson.get('/console/people')).text, /Sign in with a passkey/);
  t.ok(full.includes(gonePerson.personId) && full.includes('console_sessions: ('));
  t.strictSame(callersIn(full, gone, gonePerson), [
    ...['console_challenges', 'console_challenges', 'console_sessions'],
    ...['items of key', 'items of organisation', 'key', 'organisation', 'person'],
  ]);
  t.strictSame(callersIn(dump, gone, gonePerson), []);
  t.strictSame(callersIn(dump, kept, keptPerson), callersIn(full, kept, keptPerson));

  t.match(await service.call('GET', '/documents', { key: gone.key }), {
    ...{ status: 401, body: { code: 'INVALID_API_KEY' } },
  });
  t.match(await service.call('GET', '/documents', { key: kept.key }), { status: 200 });
  const verified = await service.call('GET', `/api/public/verify/${salted}`);
  t.match(verified, {
    status: 200,
    body: { data: { verified: true, memo: { fileHash: /^\w{64}$/ } } },
  });
  // Only the ledger still has a plain hash, and this site has no ledger.
  await until('the service has dropped the keys', async () => {
    return (await service.call('GET', `/api/public/verify/${plain}`)).status !== 200;
  });
  await noFileOpens(t, site, backup, gone.organisationId);

  await historyVerifies(t, site);
  // A row left by a release that does not know the event.
  const row = ['01LEFT', gone.organisationId, 'left', 1];
  await beside.pool.query(
    'INSERT INTO workspaces (workspace_id, organisation_id, name, position) VALUES ($1, $2, $3, $4)',
    row,
  );
  await eraseOrganisation(site.session, storage, gone.organisationId, () => {});
  const again = await dumpDatabase(beside.pool);
  t.strictSame(
    rowsOf(again).filter((line) => !lines.has(line) && !ofTheLog.test(line)),
    [],
    'a second erasure changes nothing',
  );
  await rebuildIsEqual(t, site);
});

type Person = Awaited<ReturnType<typeof signedIn>>;

/** Reads, proves and begins to join in the console, and at the identity provider. */
async function actInConsole(
  { store, services }: HttpService,
  { organisationId, workspaceId: workspace }: TestOrganisation,
  person: Person,
) {
  await person.get('/console/people');
  await person.order('/console/prove/hashes', { workspace, items: [{ hash: 'none' }] });
  const deps = { ...testDeps, store, now: () => new Date() };
  const order = { organisationId, email: 'new@example.org', role: 'member' } as const;
  const { invitation } = await invitePerson(deps, order, { actor: 'operator' });
  await person.order('/console/join/options', { invitation });
  await makeChallenge(
    { ...services.events, ...services.sources },
    purposeOfFlow(parseInvitation(invitation)),
    900_000,
  );
}

/** Tables and subjects of a dump that name the organisation or the person as a caller. */
function callersIn(dump: string, { organisationId }: TestOrganisation, { personId }: Person) {
  const rows = rowsOf(dump).filter((row) => row.includes(organisationId) || row.includes(personId));
  const found = rows.flatMap((row) => {
    const [, table = ''] = /^public\.(console_\w+): /.exec(row) ?? [];
    const [, subject = ''] = /^public\.request_counts: \("?((?:items of )?\w+) /.exec(row) ?? [];
    return [table, subject].filter((name) => name !== '');
  });
  return found.sort();
}

/** Checks that a backup of the storage gives no file of an erased organisation back. */
async function noFileOpens(
  t: Test,
  { folder, storage }: ErasureSite,
  backup: ReadonlyMap<string, Buffer>,
  organisationId: OrganisationId,
) {
  const files = [...backup].filter(([name]) => name.startsWith(`${organisationId}/`));
  t.ok(files.length >= 3, 'two documents and a certificate');
  await mkdir(join(folder, organisationId));
  for (const [name, bytes] of files) {
    await writeFile(join(folder, name), bytes);
    const key = checkBlobKey(name.replace('.enc', ''));
    const sizeBytes = 2 * bytes.length - encryptedSize(bytes.length);
    const facts = { sizeBytes, sha256: 'ab'.repeat(32) as Digest };
    await t.rejects(storage.open(key, facts), { name: 'BlobUndecipherable' });
  }
  await storage.deleteAll(organisationId);
}

/** Checks that the leaf of every event fits its row. */
async function historyVerifies(t: Test, { beside }: ErasureSite) {
  const { rows } = await beside.pool.query<EventRow>('SELECT * FROM events ORDER BY position');
  const wrong = rows.filter((row) => {
    const { event_id: eventId, organisation_id: organisationId, recorded_at: recordedAt } = row;
    const { stream, version, type, schema, data, meta } = row;
    const texts = { dataHash: textHash(data), metaHash: textHash(meta) };
    const own = { eventId, organisationId, stream, version, type, schema, recordedAt };
    return !leafHash({ ...own, ...texts }).equals(row.leaf);
  });
  t.strictSame(wrong, []);
  t.ok(rows.length > 20);
}

/** Leaves a kept build and an unfinished one, both full of rows. */
async function leaveOtherBuilds(t: Test, { beside: { db, store, url } }: ErasureSite) {
  const locks = openWorkLocks(url);
  t.teardown(() => locks.close());
  const rebuilding = { db, store, locks, projection: documents };
  t.match(await rebuildProjection(rebuilding), { outcome: 'swapped' });
  const onProgress = ({ phase }: RebuildProgress) => {
    if (phase === 'indexing') throw new Error('broken off');
  };
  await t.rejects(rebuildProjection({ ...rebuilding, onProgress }), /broken off/);
  const builds = await listBuilds(db, documents.name);
  t.strictSame(
    builds.map(({ status }) => status),
    ['kept', 'live', 'building'],
  );
}

/** Checks that every projection, rebuilt from the first event, gets the same rows. */
async function rebuildIsEqual(t: Test, { beside: { db, store, url } }: ErasureSite) {
  const locks = openWorkLocks(url);
  t.teardown(() => locks.close());
  for (const projection of projections) {
    const { outcome } = await rebuildProjection({ db, store, locks, projection });
    t.equal(outcome, 'swapped', projection.name);
  }
}

test('an erasure resumes after a kill at any step, or a failure of the storage before or after its effect', async (t) => {
  const site = await createErasureSite(t);
  const { service, beside, storage } = site;
  const { organisationId, key } = await service.openOrganisation();
  const kept = await service.openOrganisation();
  const filled = await service.openOrganisation();
  await site.fill(filled);
  await site.settle();
  const attempt = async (work: Promise<void>) => t.rejects(work, /killed/);
  const kills = ['closed', 'waiting', 'noted', 'keys destroyed', 'read models dropped'] as const;
  for (const kill of [...kills, 'files deleted'] as const) {
    const die = ({ step }: ErasureStep) => {
      if (step === kill) throw new Error('killed');
    };
    await attempt(eraseOrganisation(site.session, storage, filled.organisationId, die));
    if (kill === 'noted') {
      t.match(await service.call('GET', '/documents', { key: filled.key }), { status: 403 });
      t.ok(await beside.store.index(filled.organisationId, 'x'), 'the keys are still there');
    }
  }
  for (const method of ['noteErasure', 'deleteAll'] as const) {
    for (const acts of [false, true]) {
      const failing: Pick<BlobStorage, 'noteErasure' | 'deleteAll'> = {
        noteErasure: (id) => storage.noteErasure(id),
        deleteAll: (id) => storage.deleteAll(id),
        [method]: async () => {
          if (acts) await storage[method](organisationId);
          throw new Error('killed');
        },
      };
      await attempt(eraseOrganisation(site.session, failing, organisationId, () => {}));
    }
  }
  for (const id of [filled.organisationId, organisationId]) {
    await eraseOrganisation(site.session, storage, id, () => {});
    const ends = await beside.store.readStream(streamNamed(`organisation-${id}`));
    t.strictSame(ends.map(({ type }) => type).slice(1), [
      'OrganisationClosed',
      'OrganisationErased',
    ]);
    t.strictSame(await beside.pool.query(sqlOfKeys, [id]).then(({ rows }) => rows), []);
  }
  t.match(await service.call('GET', '/documents', { key }), { status: 401 });
  const dump = await dumpDatabase(beside.pool);
  t.notOk(dump.includes(filled.key));
  t.match(await service.call('GET', '/documents', { key: kept.key }), { status: 200 });
  t.strictSame(
    [...(await storage.erasures())].sort(),
    [filled.organisationId, organisationId].sort(),
  );
  await historyVerifies(t, site);
});

const sqlOfKeys = 'SELECT purpose FROM data_keys WHERE organisation_id = $1';

test('an erasure waits for uploads, endpoint tests and deliveries, and new work is refused meanwhile', async (t) => {
  const site = await createErasureSite(t);
  const { service, beside, storage } = site;
  const { organisationId, key, workspaceId: workspace } = await service.openOrganisation();
  const url = 'https://hooks.example/';
  const registered = await service.call('POST', '/webhooks', {
    ...{ key, json: { url, events: ['proof.completed'] } },
  });
  const { webhooks } = service.services;
  const answered = Promise.withResolvers<void>();
  const sendTest = webhooks.test.bind(webhooks);
  const tested: unknown[] = [];
  webhooks.test = async (webhook) => {
    tested.push(webhook);
    await answered.promise;
    return sendTest(webhook);
  };
  const hash = createHash('sha256').update(organisationId).digest('hex');
  t.match(await service.call('POST', '/proofs', { key, json: { workspace, hash } }), {
    status: 201,
  });
  await site.settle();
  // Simulate a worker that has claimed the delivery.
  const claim = "UPDATE webhook_deliveries SET lease = 'x', leased_until = now() + interval '1 h'";
  t.equal((await beside.pool.query(claim)).rowCount, 1);
  const form = rawForm([
    fieldPart('workspace', workspace),
    filePart('filename="a.txt"', someText()),
  ]);
  let rest: ReadableStreamDefaultController | undefined;
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(form.subarray(0, 150));
      rest = controller;
    },
  });
  const headers = { authorization: `Bearer ${key}`, ...formType };
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  const upload = fetch(`${service.url}/api/v1/documents`, init);
  await until('the upload is under way', async () => {
    return (await countFileWork(beside.pool, organisationId)) === 1;
  });

  const testing = service.call('POST', `/webhooks/${registered.body.data.id}/test`, { key });
  await until('the endpoint is being tested', async () => tested.length === 1);

  const steps: ErasureStep[] = [];
  const erased = eraseOrganisation(site.session, storage, organisationId, (step) =>
    steps.push(step),
  );
  const waitsFor = (wanted: object) =>
    until(`the erasure waits for ${JSON.stringify(wanted)}`, async () => {
      const last = steps.at(-1);
      return last?.step === 'waiting' && JSON.stringify(last.unfinished) === JSON.stringify(wanted);
    });
  await waitsFor({ proofs: 0, files: 1, deliveries: 1 });
  t.match(await service.call('POST', '/proofs', { key, json: { workspace, hash } }), {
    ...{ status: 403, body: { code: 'COMPANY_SUSPENDED' } },
  });
  await t.rejects(
    service.services.files.fileWork.during(organisationId, async () => {}),
    {
      code: 'COMPANY_SUSPENDED',
    },
  );
  rest?.enqueue(form.subarray(150));
  rest?.close();
  t.equal((await upload).status, 403, 'an upload begun before is refused at its end');
  t.strictSame(await site.files(), { kept: [], staged: [] });
  const looked = steps.length;
  await until('the erasure has checked again', async () => steps.length > looked + 1);
  await waitsFor({ proofs: 0, files: 1, deliveries: 1 });
  answered.resolve();
  t.match(await testing, { status: 200, body: { data: { delivered: true } } });
  await waitsFor({ proofs: 0, files: 0, deliveries: 1 });
  await beside.pool.query('UPDATE webhook_deliveries SET leased_until = NULL');
  await erased;
  t.equal((await beside.pool.query('SELECT FROM webhook_deliveries')).rowCount, 0);
  t.equal((await beside.pool.query('SELECT FROM webhook_endpoints')).rowCount, 0);
});

test('every projection is erasable, except those of ledger facts', async (t) => {
  const others = projections.filter((projection) => !isErasable(projection));
  t.strictSame(
    others.map(({ name }) => name),
    ['anchors', 'checkpoint-anchors'],
  );
});

/** The rows of a dump, without the build's number. Bytes as text may contain line breaks. */
function rowsOf(dump: string): readonly string[] {
  return dump.split(/\n(?=public\.)/).map((row) => row.replace(/^(public\.\w+)_v\d+: /, '$1: '));
}

/** Hashes of a guess that anybody can compute without a key. */
function hashesOf(text: string): readonly string[] {
  const algorithms = ['sha1', 'sha256', 'sha512', 'md5'];
  return [
    ...algorithms.map((algorithm) => createHash(algorithm).update(text).digest('hex')),
    createHmac('sha256', '').update(text).digest('hex'),
    ...(/^[0-9a-f]{64}$/.test(text)
      ? [createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex')]
      : []),
  ];
}

async function filesOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), await readFile(path)] as const;
    });
  return new Map(await Promise.all(found));
}
