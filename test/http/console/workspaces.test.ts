import { test } from 'tap';
import { ulid } from 'ulid';
import { countWorkspaces } from '../../../projections/workspaces/query.ts';
import { createOwnWorkspace } from '../../../src/commands/create-own-workspace.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import type { WorkspaceId } from '../../../src/domain/ulid.ts';
import { maxWorkspaces } from '../../../src/domain/workspace/places-decider.ts';
import { createTurns } from '../../../src/event-store/handling/turns.ts';
import { awaitPosition } from '../../../src/subscriptions/await-position.ts';
import { signedIn } from '../../support/console-person.ts';
import { testDeps } from '../../support/event-store.ts';
import { joinHttpService, operator, startHttpService } from '../../support/http-service.ts';

test('workspaces are listed by pages of 20, and a change leads to its page', async (t) => {
  const service = await startHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  const other = await service.openOrganisation();
  const deps = { ...testDeps, store: service.store };
  const create = (of: typeof organisationId, name: string) =>
    createWorkspace(deps, { organisationId: of, name }, operator);
  const pageOf = async (query = '') => {
    const { text } = await owner.get(`/console/workspaces${query}`);
    const names = [...text.matchAll(/<h2>([^<]+)<\/h2><p>/g)].map(([, name]) => name);
    return { names, text };
  };
  await create(other.organisationId, 'Theirs');
  t.notMatch((await pageOf()).text, 'aria-label="Pages"', 'a single page needs no links');
  for (let n = 2; n <= 20; n += 1) await create(organisationId, `W${n}`);
  t.equal((await pageOf()).names.length, 20);
  t.notMatch((await pageOf()).text, 'aria-label="Pages"');

  const once = await owner.onceOn('/console/workspaces');
  const made = await owner.post('/console/workspaces', { once, name: 'W21' });
  t.equal(made.status, 303);
  t.match(made.headers.get('location'), /console\/workspaces\?page=2$/);
  const first = await pageOf();
  t.equal(first.names.length, 20);
  t.match(first.text, 'Page 1 of 2');
  t.match(first.text, 'href="../console/workspaces?page=2"');
  const second = await pageOf('?page=2');
  t.strictSame(second.names, ['W21'], 'and nothing of the other organisation');
  t.match(second.text, 'Page 2 of 2');
  t.match((await pageOf('?page=3')).text, 'Previous');

  const id = /workspaces\/(\w{26})\/rename/.exec(second.text)?.[1] ?? '';
  const path = `/console/workspaces/${id}/rename`;
  const seen = /name="seen" value="(\d+)"/.exec((await owner.get(path)).text)?.[1] ?? '';
  const renamed = await owner.post(path, { name: 'Last', seen });
  t.match(renamed.headers.get('location'), /console\/workspaces\?page=2$/);
  t.strictSame((await pageOf('?page=2')).names, ['Last']);

  const kept = await owner.post(path, { again: '1', name: 'Typed before', seen });
  t.match(kept.text, 'value="Typed before"');
  t.match(kept.text, `name="seen" value="${seen}"`, 'the session ended before the other change');
  const long = await owner.post(path, { name: 'x'.repeat(256), seen });
  t.match(long, { status: 400, text: `name="seen" value="${seen}"` });
  t.equal((await owner.post(path, { name: 'Typed before', seen })).status, 409);
  t.strictSame((await pageOf('?page=2')).names, ['Last']);
});

test('a form that is sent twice creates one workspace', async (t) => {
  const service = await joinHttpService(t);
  const { organisationId, key } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  const other = await signedIn(service, organisationId, { email: 'o@example.org' });
  const names = async () => {
    const { body } = await service.call('GET', '/workspaces', { key });
    return body.data.map(({ name }: { name: string }) => name);
  };
  const once = await owner.onceOn('/console/workspaces');
  const create = (name: string, given = once) =>
    owner.post('/console/workspaces', { name, once: given });
  const answers = await Promise.all([create('Twice'), create('Twice')]);
  t.strictSame(
    answers.map(({ status }) => status),
    [303, 303],
    'a double click leads to the list',
  );
  t.strictSame(await names(), ['Archive', 'Twice']);
  const changed = await create('Another');
  t.match(changed, { status: 409, text: 'Nothing more was created' });
  t.match(changed.text, 'value="Another"', 'what was typed stays');
  const next = /name="once" value="([^"]+)"/.exec(changed.text)?.[1] ?? '';
  t.equal((await create('Another', next)).status, 303, 'the form that is shown again works');
  for (const wrong of ['', 'forged', await other.onceOn('/console/workspaces')]) {
    const { status, text } = await create('None', wrong);
    t.equal(status, 400);
    t.match(text, /Nothing was created yet.*value="None"/s);
  }
  t.strictSame(await names(), ['Archive', 'Twice', 'Another']);
});

test('owners of two processes stop exactly at the maximum number of workspaces', async (t) => {
  const service = await startHttpService(t);
  const { organisationId } = await service.openOrganisation();
  const {
    events: { store, db, signal },
  } = service.services;
  for (let n = 2; n < maxWorkspaces; n += 100) {
    const created = Array.from({ length: Math.min(100, maxWorkspaces - n) }, () =>
      createWorkspace({ ...testDeps, store }, { organisationId, name: 'W' }, operator),
    );
    await Promise.all(created);
  }
  const countAll = async () => {
    await awaitPosition(db, 'workspaces', await store.lastPositionOf(organisationId), { signal });
    return countWorkspaces(db, organisationId);
  };
  t.equal(await countAll(), maxWorkspaces - 1);
  const processes = [createTurns(), createTurns()];
  const outcomes = await Promise.allSettled(
    processes.flatMap((turns) =>
      [1, 2, 3].map(() => {
        const deps = { store, turns, countWorkspaces: countAll };
        const order = { organisationId, workspaceId: ulid() as WorkspaceId, name: 'Last' };
        return createOwnWorkspace(deps, order, operator);
      }),
    ),
  );
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  t.equal(await countAll(), maxWorkspaces);
  const owner = await signedIn(service, organisationId);
  const once = await owner.onceOn('/console/workspaces');
  const { status, text } = await owner.post('/console/workspaces', { once, name: 'More' });
  t.equal(status, 400);
  t.match(text, 'The organisation has 1,000 workspaces, the maximum.');
});
