import { test } from 'tap';
import { streams } from '../../../src/domain/streams.ts';
import type { WebhookId } from '../../../src/domain/ulid.ts';
import { signedIn } from '../../support/console-person.ts';
import { startHttpService } from '../../support/http-service.ts';
import { createScriptedDeliveries } from '../../support/scripted-deliveries.ts';

const hostile = 'Orders \u202e<b>"quoted"</b>';

test('owners manage webhooks in the console, and members read them', async (t) => {
  const webhooks = createScriptedDeliveries();
  const service = await startHttpService(t, { services: { webhooks } });
  const { organisationId, key } = await service.openOrganisation();
  const owner = await signedIn(service, organisationId);
  const member = await signedIn(service, organisationId, { role: 'member', email: 'm@x.org' });
  const listed = async () => (await service.call('GET', '/webhooks', { key })).body.data;
  const order = {
    url: 'https://hooks.example/secret-part',
    description: hostile,
    events: ['proof.completed', 'workspace.created'],
  };

  await t.test('an empty list says what to do next', async (t) => {
    t.match(
      (await owner.get('/console/webhooks')).text,
      'Register an endpoint</a>, and send it a test',
    );
    t.match((await member.get('/console/webhooks')).text, 'An owner can register one');
  });

  await t.test('an endpoint is registered once, and its secret shown once', async (t) => {
    const once = await owner.onceOn('/console/webhooks/new');
    t.equal((await member.get('/console/webhooks/new')).status, 403);
    t.equal((await member.post('/console/webhooks', { ...order, once })).status, 403);
    for (const [wrong, why] of [
      [{ url: 'http://hooks.example' }, /Url: must/],
      [{ url: 'https://127.0.0.1/x' }, /Url: must/],
      [{ events: [] }, /at least one kind/],
      [{ events: ['odd'] }, /must be one of/],
      [{ description: 'x'.repeat(256) }, /at most 255 characters/],
      [{ once: 'forged' }, /Nothing was registered yet/],
    ] as const) {
      const { status, text } = await owner.post('/console/webhooks', { ...order, once, ...wrong });
      t.equal(status, 400, JSON.stringify(wrong));
      t.match(text, why);
      t.match(text, '<input id="url"', 'what was typed stays');
    }
    const answers = await Promise.all(
      [1, 2].map(() => owner.post('/console/webhooks', { ...order, once })),
    );
    t.strictSame(answers.map(({ status }) => status).sort(), [201, 409]);
    const made = answers.find(({ status }) => status === 201)?.text ?? '';
    t.match(made, /id="secret"[^>]*>whsec_[A-Za-z0-9+/=]+</);
    const [one, ...more] = await listed();
    t.strictSame(more, []);
    t.match(one, { url: order.url, description: hostile, events: order.events });
    const [event] = await service.store.readStream(streams.webhook(one.id));
    t.match(event?.meta, { actor: 'console', personId: owner.personId });
  });

  const id = ((await listed())[0] as { id: WebhookId }).id;
  const path = `/console/webhooks/${id}`;

  await t.test('members see the host of an address only, and no buttons', async (t) => {
    const shown = [await owner.get('/console/webhooks'), await owner.get(path)];
    for (const { text } of shown) {
      t.match(text, 'https://hooks.example/secret-part');
      t.match(text, '&lt;b>&quot;quoted&quot;&lt;/b>');
    }
    for (const page of ['/console/webhooks', path]) {
      const { status, text } = await member.get(page);
      t.equal(status, 200);
      t.match(text, 'hooks.example');
      t.notMatch(text, /secret-part|Send a test|whsec_/);
    }
    for (const page of ['change', 'rotate', 'delete']) {
      t.equal((await member.get(`${path}/${page}`)).status, 403);
      t.equal((await member.post(`${path}/${page}`)).status, 403);
    }
    for (const action of ['test', 'status', 'retry-failed']) {
      t.equal((await member.post(`${path}/${action}`)).status, 403);
    }
  });

  const seenOn = async (page: string) =>
    /name="seen" value="(\d+)"/.exec((await owner.get(page)).text)?.[1] ?? '';

  await t.test(
    'a change is saved, unless another person changed the endpoint meanwhile',
    async (t) => {
      const seen = await seenOn(`${path}/change`);
      const mine = { ...order, description: 'Mine', seen };
      const theirs = { ...order, description: 'Theirs', seen };
      t.equal((await owner.post(`${path}/change`, mine)).status, 303);
      const late = await owner.post(`${path}/change`, theirs);
      t.equal(late.status, 409);
      t.match(late.text, 'Somebody changed this while you had the form open');
      t.match(late.text, 'value="Mine"', 'the present value is shown');
      t.equal((await listed())[0].description, 'Mine');
      const seenNow = await seenOn(`${path}/change`);
      const race = await Promise.all(
        ['A', 'B', 'C'].map((description) =>
          owner.post(`${path}/change`, { ...order, description, seen: seenNow }),
        ),
      );
      t.strictSame(race.map(({ status }) => status).sort(), [303, 409, 409]);
      const wrong = await owner.post(`${path}/change`, {
        ...order,
        url: 'http://x.example',
        seen: seenNow,
      });
      t.equal(wrong.status, 400);
      t.match(wrong.text, 'value="http://x.example"');
      t.match(wrong.text, `name="seen" value="${seenNow}"`, 'not the version of the last change');
      t.equal((await owner.post(`${path}/change`, order)).status, 409, 'a form without a version');
    },
  );

  await t.test('a secret is rotated once for each form', async (t) => {
    const seen = await seenOn(`${path}/rotate`);
    const answers = await Promise.all(
      [1, 2].map(() => owner.post(`${path}/rotate`, { seen, overlap: '3600' })),
    );
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 409]);
    const made = answers.find(({ status }) => status === 200)?.text ?? '';
    t.match(made, /whsec_/);
    t.match(made, 'signs too until');
    t.match(answers.find(({ status }) => status === 409)?.text, 'Nothing more was rotated');
    const events = await service.store.readStream(streams.webhook(id));
    t.equal(events.filter(({ type }) => type === 'WebhookSecretRotated').length, 1);
    const gone = await owner.post(`${path}/rotate`, {
      seen: await seenOn(`${path}/rotate`),
      overlap: '0',
    });
    t.match(gone.text, 'signed with it alone from now on');
    for (const overlap of ['', 'odd', '1']) {
      const fields = { seen: await seenOn(`${path}/rotate`), overlap };
      const { text } = await owner.post(`${path}/rotate`, fields);
      const until = /signs too until <time datetime="([^"]+)"/.exec(text)?.[1] ?? '';
      const hours = (Date.parse(until) - Date.now()) / 3_600_000;
      t.ok(hours > 23.9 && hours <= 24, `a day is the default, not ${hours} hours: '${overlap}'`);
    }
    const again = await owner.post(`${path}/rotate`, { again: '1', seen, overlap: '604800' });
    t.match(again.text, '<option value="604800" selected>');
    t.match(again.text, `name="seen" value="${seen}"`, 'a rotation meanwhile is still noticed');
    const late = await owner.post(`${path}/rotate`, { seen, overlap: '0' });
    t.match(late, { status: 409, text: '<option value="0" selected>' });
  });

  await t.test('a test is sent, and its result shown', async (t) => {
    const { status, text } = await owner.post(`${path}/test`);
    t.equal(status, 200);
    t.match(text, 'role="status">The test was delivered: HTTP 204 after 12 ms.');
    t.equal(webhooks.tested.length, 1);
  });

  await t.test('deliveries are listed with their attempts, and sent again', async (t) => {
    t.match((await owner.get(path)).text, 'Nothing was sent yet');
    const failed = webhooks.add(id, {
      ...{
        status: 'failed',
        attempts: 10,
        responseStatus: 503,
        createdAt: '2026-02-01T00:00:00.000Z',
      },
    });
    webhooks.add(id, { status: 'failed', attempts: 10, responseStatus: null, error: 'timeout' });
    for (let n = 0; n < 25; n += 1) webhooks.add(id);
    const second = await member.get(`${path}?page=2`);
    t.match(second.text, '10 attempts, the last at');
    t.match(second.text, 'HTTP 503 after 34 ms');
    t.match(second.text, 'timeout after 34 ms');
    t.match(second.text, 'Page 2 of 2');
    t.notMatch(second.text, 'Send again');
    t.match((await owner.get(`${path}?page=2`)).text, `deliveries/${failed.id}/retry`);
    t.equal((await owner.post(`${path}/deliveries/${failed.id}/retry`)).status, 303);
    t.equal((await owner.post(`${path}/deliveries/01ARZ3NDEKTSV4RRFFQ69G5FAV/retry`)).status, 404);
    const since = await owner.post(`${path}/retry-failed`, { since: '2026-01-15T00:00' });
    t.match(since.text, '1 delivery is sent again now.');
    t.match(
      (await owner.post(`${path}/retry-failed`, { since: '2026-01-01T00:00' })).text,
      '1 delivery is',
    );
    t.match(
      (await owner.post(`${path}/retry-failed`, { since: '2026-01-01T00:00' })).text,
      'No delivery has failed',
    );
    const odd = await owner.post(`${path}/retry-failed`, { since: 'yesterday' });
    t.equal(odd.status, 400);
    t.match(odd.text, 'Since: must be an ISO 8601 date-time');
    const typed = { since: '2026-01-09T08:07' };
    const again = await owner.post(`${path}/retry-failed`, { ...typed, again: '1' });
    t.match(again.text, 'value="2026-01-09T08:07"', 'what was typed stays');
    const done = await owner.post(`${path}/retry-failed`, typed);
    t.match(done, { status: 200, text: 'value="2026-01-09T08:07"' });
  });

  await t.test('a test and what is sent again are on record with the person', async (t) => {
    const events = await service.store.readStream(streams.webhookSendings(id));
    t.strictSame(
      events.map(({ type }) => type),
      [
        'WebhookTestRequested',
        'WebhookRetryRequested',
        'WebhookRetriesRequested',
        'WebhookRetriesRequested',
      ],
      'nothing that was refused, or sent nothing',
    );
    for (const { meta } of events) {
      t.match(meta, { actor: 'console', personId: owner.personId, requestId: String });
    }
    t.match(events.at(-1), {
      organisationId,
      data: { webhookId: id, since: '2026-01-01T00:00:00.000Z', deliveries: 1 },
    });
  });

  await t.test('a disabled endpoint says why, and retries nothing', async (t) => {
    t.equal((await owner.post(`${path}/status`, { status: 'odd' })).status, 400);
    t.equal((await owner.post(`${path}/status`, { status: 'disabled' })).status, 303);
    const { text } = await owner.get(path);
    t.match(text, 'by your organisation');
    t.notMatch(text, 'Send them again');
    const delivery = webhooks.add(id, { status: 'held' });
    for (const [action, fields] of [
      [`deliveries/${delivery.id}/retry`, {}],
      ['retry-failed', { since: '2026-01-01T00:00' }],
    ] as const) {
      const answer = await owner.post(`${path}/${action}`, fields);
      t.equal(answer.status, 409, action);
      t.match(answer.text, 'The endpoint is disabled, so nothing was sent');
    }
    t.equal((await owner.post(`${path}/status`, { status: 'active' })).status, 303);
  });

  await t.test('an endpoint is deleted after a question', async (t) => {
    t.match((await owner.get(`${path}/delete`)).text, 'Delete this endpoint?');
    t.equal((await owner.post(`${path}/delete`)).status, 303);
    t.strictSame(await listed(), []);
    for (const page of [path, `${path}/change`, `${path}/delete`]) {
      t.equal((await owner.get(page)).status, 404, 'another person was faster');
    }
    t.equal((await owner.post(`${path}/delete`)).status, 404);
  });
});
