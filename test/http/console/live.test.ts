import { test } from 'tap';
import { ulid } from 'ulid';
import { invitePerson } from '../../../src/commands/invite-person.ts';
import { registerPerson } from '../../../src/commands/register-person.ts';
import { removePerson } from '../../../src/commands/remove-person.ts';
import { organisationDecider } from '../../../src/domain/organisation/decider.ts';
import { requireOrganisation } from '../../../src/domain/organisation/require-organisation.ts';
import type { OrganisationState } from '../../../src/domain/organisation/state.ts';
import { parseInvitation } from '../../../src/domain/person/invitation-token.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { handle } from '../../../src/event-store/handling/handle.ts';
import { createLiveConnections } from '../../../src/http/console/live/live-connections.ts';
import type { SessionPerson } from '../../../src/http/console/sessions.ts';
import { signedIn } from '../../support/console-person.ts';
import { testDeps } from '../../support/event-store.ts';
import { operator, startHttpService } from '../../support/http-service.ts';
import { liveReader } from '../../support/live-reader.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';
import { until } from '../../support/until.ts';

test('a stream that opens while sessions are checked stays open', async (t) => {
  const answers: ((present: ReadonlySet<string>) => void)[] = [];
  const stop = new AbortController();
  t.teardown(() => stop.abort());
  const connections = createLiveConnections({
    findSessions: () => new Promise((resolve) => answers.push(resolve)),
    draining: stop.signal,
    checkMs: 1,
  });
  const ends: string[] = [];
  const open = (token: string) => {
    const session = { organisationId: ulid(), personId: ulid() };
    const { body } = connections.open(session as unknown as SessionPerson, token, () => {});
    body.resume().once('end', () => ends.push(token));
  };
  open('ended');
  await until('a check', async () => answers.length > 0);
  open('fresh');
  answers[0]?.(new Set());
  await until('an end', async () => ends.length > 0);
  t.strictSame(ends, ['ended']);
});

test('open pages are told what changes', async (t) => {
  const service = await startHttpService(t, {
    services: {
      limits: { addressRequestsPerMinute: 100_000 },
      site: {
        liveOptions: {
          ...{ beatMs: 50, checkMs: 50 },
          limits: { perSession: 3, perOrganisation: 5, inAll: 100 },
        },
      },
    },
  });
  const { store, services } = service;
  (await createScriptedAnchoring(store, { signal: services.events.signal })).follow(t);
  const { organisationId, key, workspaceId } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  const other = await service.openOrganisation();
  const stranger = await signedIn(service, other.organisationId, { email: 'x@example.org' });
  const prove = async () => {
    const json = { hash: randomDigest(), workspace: workspaceId };
    const { body } = await service.call('POST', '/proofs', { key, json });
    return body.data.proofId as ProofId;
  };

  await t.test('the states of proofs, to their own organisation alone', async (t) => {
    const [mine, theirs] = [await liveReader(t, owner), await liveReader(t, stranger)];
    t.match(mine.headers.get('content-type'), /^text\/event-stream/);
    t.match(mine.headers.get('cache-control'), /no-transform/);
    t.equal(mine.headers.get('x-accel-buffering'), 'no');
    const proofId = await prove();
    for (const status of ['pending', 'processing', 'completed']) {
      t.match(await mine.next('proof'), { data: { proofId, status } });
    }
    await theirs.beat();
    t.notMatch(theirs.text(), proofId);
    await mine.close();
    await theirs.close();
  });

  await t.test('a page that was away is told what it missed, once', async (t) => {
    const before = await liveReader(t, owner);
    const first = await prove();
    await before.next('proof');
    const { id } = await before.next('proof');
    await before.close();
    const second = await prove();
    const after = await liveReader(t, owner, { headers: { 'last-event-id': id } });
    t.match(await after.next('proof'), { data: { proofId: first, status: 'completed' } });
    t.match(await after.next('proof'), { data: { proofId: second, status: 'pending' } });
    await after.close();
    const page = await owner.get('/console/usage');
    const position = /data-after="(\d+)"/.exec(page.text)?.[1] ?? '';
    const third = await prove();
    const fresh = await liveReader(t, owner, { query: `?after=${position}` });
    t.match(await fresh.next('proof'), { data: { proofId: third, status: 'pending' } });
    await fresh.close();
    const pages = t.capture(services.events.store, 'readPage', services.events.store.readPage);
    const last = await liveReader(t, owner, { query: '?after=0' });
    await last.next('proof');
    await last.close();
    t.notOk(
      pages().some(({ args }) => args[0] === 0),
      'the log of all organisations is not read again',
    );
  });

  await t.test('a page that missed too much is told to load again', async (t) => {
    const many = await service.openOrganisation();
    const reader = await signedIn(service, many.organisationId, { email: 'm@example.org' });
    const json = {
      workspace: many.workspaceId,
      items: Array.from({ length: 260 }, () => ({ hash: randomDigest() })),
    };
    t.equal((await service.call('POST', '/proofs/batch', { key: many.key, json })).status, 200);
    const late = await liveReader(t, reader, { query: '?after=0' });
    await late.next('stale');
    t.notMatch(late.text(), 'event: proof');
    await late.close();
  });

  await t.test('numbers, with the texts of the page', async (t) => {
    const reader = await liveReader(t, owner, { query: '?numbers=1' });
    const { data } = await reader.next('numbers');
    const { text } = await owner.get('/console/usage');
    t.match(
      text,
      `<p data-live="proofs">${(data as { proofs: { text: string } }).proofs.text}</p>`,
    );
    const textOf = (numbers: unknown) => (numbers as { proofs: { text: string } }).proofs.text;
    await prove();
    await reader.until('numbers', (event) => textOf(event.data) !== textOf(data));
    await reader.close();
  });

  await t.test('a session and an organisation have a limited number of pages', async (t) => {
    const busy = await service.openOrganisation();
    const one = await signedIn(service, busy.organisationId);
    const readers = await Promise.all([1, 2, 3].map(() => liveReader(t, one)));
    t.equal((await one.get('/console/live')).status, 429);
    const colleague = await signedIn(service, busy.organisationId, { email: 'c@example.org' });
    const more = [await liveReader(t, colleague), await liveReader(t, colleague)];
    t.equal((await colleague.get('/console/live')).status, 429);
    t.equal((await liveReader(t, stranger)).status, 200, 'others are not affected');
    for (const each of [...readers, ...more]) await each.close();
  });

  await t.test('the stream ends with the session, wherever that ends', async (t) => {
    const gone = await signedIn(service, organisationId, { email: 'g@example.org' });
    const reader = await liveReader(t, gone);
    await gone.post('/console/sign-out');
    await reader.ended();
    const removed = await signedIn(service, organisationId, { email: 'r@example.org' });
    const second = await liveReader(t, removed);
    await owner.post(`/console/people/${removed.personId}/remove`);
    await second.ended();
    t.match(await removed.get('/console/live'), { status: 401, text: /id="sign-in"/ });
    t.equal((await store.readStream(streams.people(organisationId))).at(-1)?.type, 'PersonRemoved');
  });

  await t.test('a stream ends although the session is still on record', async (t) => {
    const deps = { ...testDeps, store };
    const gone = await signedIn(service, organisationId, { email: 'gone@example.org' });
    const first = await liveReader(t, gone);
    const { personId } = gone;
    await removePerson(store, { organisationId, personId }, operator);
    await first.ended();

    const email = 'again@example.org';
    const former = await signedIn(service, organisationId, { email });
    const second = await liveReader(t, former);
    const order = { organisationId, email, role: 'owner' } as const;
    const { invitation } = await invitePerson(deps, order, operator);
    const passkey = { credentialId: 'new', publicKey: 'none', transports: [] };
    const parsed = parseInvitation(invitation);
    if (parsed === null) throw new Error('the invitation cannot be read');
    await registerPerson(deps, { ...parsed, name: 'Again', passkey }, { actor: 'console' });
    await second.ended();

    const closing = await service.openOrganisation();
    const reader = await signedIn(service, closing.organisationId, { email: 'c@example.org' });
    const third = await liveReader(t, reader);
    const stream = streams.organisation(closing.organisationId);
    const close = (state: OrganisationState) =>
      organisationDecider.close(requireOrganisation(state, closing.organisationId));
    await handle(store, stream, organisationDecider, close, operator);
    await third.ended();
  });

  await t.test('a service that stops ends all streams', async () => {
    const reader = await liveReader(t, owner);
    service.drain();
    await reader.ended();
  });
});
