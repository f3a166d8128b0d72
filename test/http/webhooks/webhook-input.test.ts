import { test } from 'tap';
import { streams } from '../../../src/domain/streams.ts';
import { maxChanges } from '../../../src/domain/webhook/decider.ts';
import { joinHttpService, operator, startHttpService } from '../../support/http-service.ts';

const url = 'https://hooks.example/in';
const events = ['document.created'];
const long = (length: number) => `${url}?${'x'.repeat(length - url.length - 1)}`;

/** Invalid input for registration and change, with the field at fault. */
const wrong: readonly [what: string, field: string, value: unknown][] = [
  ['no URL', 'url', 'hooks.example'],
  ['an empty URL', 'url', ''],
  ['a number', 'url', 5],
  ['a boolean', 'url', false],
  ['plain HTTP', 'url', 'http://hooks.example/'],
  ['another scheme', 'url', 'ftp://hooks.example/'],
  ['a script', 'url', 'javascript:alert(1)'],
  ['a user', 'url', 'https://user@hooks.example/'],
  ['a user and password', 'url', 'https://user:pass@hooks.example/'],
  ['another port', 'url', 'https://hooks.example:8443/'],
  ['this machine', 'url', 'https://127.0.0.1/'],
  ['this machine by name', 'url', 'https://localhost/'],
  ['this machine in decimal', 'url', 'https://2130706433/'],
  ['this machine in hexadecimal', 'url', 'https://0x7f.1/'],
  ['this machine in IPv6', 'url', 'https://[::1]/'],
  ['an IPv4 address in IPv6', 'url', 'https://[::ffff:10.0.0.1]/'],
  ['cloud metadata', 'url', 'https://169.254.169.254/latest/meta-data'],
  ['a line break', 'url', 'https://hooks.example/\nX-Injected: 1'],
  ['a NUL', 'url', 'https://hooks.example/\0'],
  ['a lone surrogate', 'url', 'https://hooks.example/\ud800'],
  ['2,049 characters', 'url', long(2_049)],
  ['no kinds', 'events', []],
  ['an unknown kind', 'events', ['document.created', 'document.deleted']],
  ['a kind in capitals', 'events', ['Document.Created']],
  ['a property of objects', 'events', ['constructor']],
  ['a kind by itself', 'events', 'document.created'],
  ['a kind that is no string', 'events', [{ toString: 'document.created' }]],
  ['a boolean for kinds', 'events', false],
  ['256 characters', 'description', 'x'.repeat(256)],
  ['a number', 'description', 5],
  ['a NUL', 'description', 'a\0b'],
  ['a lone surrogate', 'description', '\udc00'],
];

test('invalid input is 400 and names the field, for registration and change', async (t) => {
  const service = await startHttpService(t);
  const { key } = await service.openOrganisation();
  const { id } = (await service.call('POST', '/webhooks', { key, json: { url, events } })).body
    .data;
  const position = await service.store.head();
  for (const [what, field, value] of wrong) {
    const json = { url, events, [field]: value };
    const expected = {
      status: 400,
      body: { success: false, code: 'INVALID_REQUEST', message: new RegExp(`^${field}[.:]`) },
    };
    t.match(await service.call('POST', '/webhooks', { key, json }), expected, `${field}: ${what}`);
    const change = { key, json: { [field]: value } };
    t.match(await service.call('PATCH', `/webhooks/${id}`, change), expected, `${field}: ${what}`);
  }
  for (const [field, json] of [
    ['url', { events }],
    ['events', { url }],
    ['url', { url: null, events }],
    ['events', { url, events: null }],
  ] as const) {
    const answer = await service.call('POST', '/webhooks', { key, json });
    const message = new RegExp(`^${field}: `);
    t.match(answer, { status: 400, body: { code: 'INVALID_REQUEST', message } }, field);
  }
  for (const status of ['enabled', 'deleted', true]) {
    const answer = await service.call('PATCH', `/webhooks/${id}`, { key, json: { status } });
    t.match(answer, { status: 400, body: { code: 'INVALID_REQUEST', message: /^status: / } });
  }
  t.equal(await service.store.head(), position, 'nothing was recorded');
});

test('a refusal does not repeat the refused URL', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  for (const [, , value] of wrong.filter(([, field]) => field === 'url')) {
    if (typeof value !== 'string' || value.length < 8) continue;
    const answer = await service.call('POST', '/webhooks', { key, json: { url: value, events } });
    t.notOk(answer.text.includes(JSON.stringify(value).slice(1, -1)), value);
  }
});

test('an endpoint that was changed 1,000 times is only disabled and deleted', async (t) => {
  const service = await joinHttpService();
  const { key, organisationId } = await service.openOrganisation();
  const { id } = (await service.call('POST', '/webhooks', { key, json: { url, events } })).body
    .data;
  const data = { webhookId: id, url, events, description: null };
  const changed = Array(maxChanges).fill({ type: 'WebhookChanged', data });
  const entry = { organisationId, stream: streams.webhook(id), expectedVersion: 1 };
  await service.store.append([{ ...entry, events: changed }], operator);
  const change = (json: object) => service.call('PATCH', `/webhooks/${id}`, { key, json });
  const message =
    'the endpoint was changed 1000 times, the maximum; delete it and register another';
  const refused = { status: 400, body: { code: 'INVALID_REQUEST', message } };
  t.match(await change({ description: 'new' }), refused);
  t.match(await service.call('POST', `/webhooks/${id}/rotate-secret`, { key }), refused);
  t.match(await change({ status: 'disabled' }), { status: 200, body: { data: { id } } });
  t.match(await change({ status: 'active' }), refused);
  t.match(await service.call('GET', '/webhooks', { key }), { body: { data: [{ id, url }] } });
  t.equal((await service.call('DELETE', `/webhooks/${id}`, { key })).status, 200);
});

test('input just within the limits is stored as sent', async (t) => {
  const service = await joinHttpService();
  const { key } = await service.openOrganisation();
  for (const given of [
    { url: long(2_048), description: '\u{1f512}'.repeat(255) },
    { url: 'HTTPS://Hooks.Example:443/a/../b?q=%2e&x=1', description: '' },
    { url: 'https://8.8.8.8/', description: "'; DROP TABLE webhooks; --" },
    { url: 'https://bücher.example/ü?ü=ü', description: '{{constructor}}' },
  ]) {
    const json = { ...given, events, unknown: 'ignored' };
    const made = await service.call('POST', '/webhooks', { key, json });
    t.match(made, { status: 201, body: { data: given } });
    t.notOk('unknown' in made.body.data);
  }
});
