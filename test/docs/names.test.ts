import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'tap';
import { parse } from 'yaml';
import { variables } from '../../src/config/variables.ts';
import { eventDefinitions } from '../../src/domain/events.ts';
import { webhookEventKinds } from '../../src/domain/webhook/event-kind.ts';
import { statusOf } from '../../src/http/errors/error-code.ts';
import { pageRoutes } from '../../src/http/routes.ts';
import { networkDelays, networkObstacles } from '../../src/http/service/network-obstacles.ts';
import { scrapeAll } from '../support/all-metrics.ts';
import { documentOf, type Json } from '../support/contract/closed-document.ts';
import { createOperationFinder } from '../support/contract/find-operation.ts';
import { readDocument, readGuides, tableRows } from '../support/documents.ts';
import { announcedTypes } from '../support/exposition.ts';
import { projectRoot } from '../support/run.ts';

const guides = readGuides();
const plain = (cell = '') => cell.replaceAll('`', '');
const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test('every metric and alert named in a document exists', async (t) => {
  const families = announcedTypes(await scrapeAll());
  const rules = parse(readFileSync(join(projectRoot, 'ops/monitoring/alerts.yml'), 'utf8'));
  const alerts = rules.groups.flatMap(({ rules: all }: Json) =>
    all.map(({ alert }: Json) => alert),
  );
  let count = 0;
  for (const { path, code } of guides) {
    for (const span of code) {
      if (/^proofmark_[a-z_]+$/.test(span)) t.ok(families.has(span), `${path}: ${span}`);
      else if (/^Proofmark(?!Error$)[A-Z]\w+$/.test(span))
        t.ok(alerts.includes(span), `${path}: ${span}`);
      else continue;
      count += 1;
    }
  }
  t.ok(count > 3);
});

test('every code and variable named in a document exists in the program', async (t) => {
  const code = execFileSync(
    'grep',
    [
      '-rhoE',
      String.raw`\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b`,
      'src',
      'ops',
      'test',
      'projections',
      'clients',
      '--include=*.ts',
    ],
    { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const used = new Set(code.split('\n'));
  for (const { path, code: spans } of guides) {
    for (const span of spans) {
      const [, name = ''] = /^([A-Z]+(?:_[A-Z]+)+)(?:=|$)/.exec(span) ?? [];
      if (name === '') continue;
      const known = name in statusOf || name.replace(/_FILE$/, '') in variables.shape;
      t.ok(known || used.has(name), `${path}: ${name}`);
    }
  }
});

test('the configuration document lists exactly the existing variables, with their defaults', async (t) => {
  const guide = readDocument('docs/configuration.md');
  const rows = tableRows(guide, 'variable', 'default', 'meaning');
  const listed = rows.map(([name]) => plain(name));
  t.strictSame([...listed].sort(), Object.keys(variables.shape).sort());
  const defaults: Readonly<Record<string, unknown>> = variables.parse({});
  for (const [name, documented = ''] of rows) {
    const value = defaults[plain(name)];
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    if (isPlain) t.equal(plain(documented), String(value), plain(name));
    else if (Array.isArray(value))
      t.equal(plain(documented), value.join(',') || 'none', plain(name));
    else t.equal(value, undefined, plain(name));
  }
});

test('the API guide lists every call with its scope and its parameters', async (t) => {
  const document = documentOf();
  const rows = tableRows(readDocument('docs/api.md'), 'call', 'purpose', 'scope');
  const listed = new Map(rows.map(([call, purpose, scope]) => [plain(call), { purpose, scope }]));
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
  t.strictSame([...listed.keys()].sort(), operations.map(({ call }) => call).sort());
  for (const { call, operation } of operations) {
    const { purpose, scope } = listed.get(call) ?? {};
    const [needed] = operation.security.flatMap(({ apiKey }: Json) => apiKey);
    t.equal(plain(scope), needed ?? 'no key', call);
    for (const { name, in: place } of operation.parameters ?? []) {
      if (place === 'query') t.ok(namesIn(purpose).includes(name), `${call}: ${name}`);
    }
  }
});

test('every call named in a document is a route', async (t) => {
  const find = createOperationFinder(documentOf());
  const pages = pageRoutes.map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`));
  let count = 0;
  for (const { path, code } of guides) {
    for (const span of code) {
      const [, method = '', target = ''] = /^(GET|POST|PATCH|DELETE) (\/[^\s…]*)$/.exec(span) ?? [];
      if (method === '') continue;
      count += 1;
      const isRoute = [target, `/api/v1${target}`].some((one) => find(method, one) !== null);
      t.ok(isRoute || pages.some((page) => page.test(target)), `${path}: ${span}`);
    }
  }
  t.ok(count > 40);
});

test('the API guide lists every kind of webhook event', async (t) => {
  const rows = tableRows(readDocument('docs/api.md'), 'kind', 'when', '`data`');
  t.strictSame(rows.map(([kind]) => plain(kind)).sort(), [...webhookEventKinds].sort());
});

test('the architecture lists every event once', async (t) => {
  const rows = tableRows(readDocument('docs/architecture.md'), 'stream', 'events');
  const listed = rows.flatMap(([, events]) => namesIn(events));
  t.strictSame([...listed].sort(), Object.keys(eventDefinitions).sort());
});

test('the map in the architecture names every folder of programs, reactors, log and verifier', (t) => {
  const rows = tableRows(readDocument('docs/architecture.md'), 'folder', 'contents');
  const named = new Set<string>();
  for (const [cell, contents] of rows) {
    const [first = '', ...others] = namesIn(cell);
    const beside = others.map((name) => join(dirname(first), name));
    for (const name of [first, ...others, ...beside]) named.add(name);
    for (const name of namesIn(contents)) named.add(join(first, name));
  }
  const mapped = '{src,ops,ops/audit,src/{reactors,transparency-log,verifier,certificates}}/*/';
  const folders = globSync(mapped, { cwd: projectRoot });
  t.ok(folders.length > 60, `${folders.length}`);
  const isNamed = (folder: string) =>
    [...named].some((name) => `${name}/`.startsWith(`${folder}/`));
  t.strictSame(
    folders.filter((folder) => !isNamed(folder)),
    [],
  );
  t.end();
});

test('the operator’s documents explain every reason for paused or delayed anchoring', async (t) => {
  const [obstacle, pause, storage, delay] = [
    ...['obstacle.ts', 'run-anchoring.ts', 'storage-outage.ts', 'delay.ts'],
  ].map((name) => readFileSync(join(projectRoot, 'src/reactors/anchoring', name), 'utf8'));
  const union = (text = '', name = '') =>
    [...(new RegExp(`\\btype ${name} =([^;]+);`).exec(text)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
      ([, each = '']) => each,
    );
  const causes = [
    ...new Set([
      ...union(obstacle, 'Obstacle'),
      ...union(storage, 'StoragePause'),
      ...union(pause, 'Pause'),
    ]),
  ];
  t.ok(causes.length > 8);
  const runbook = readDocument('docs/runbook.md');
  const rows = tableRows(runbook, 'reason', 'text', 'cause', 'what to do');
  t.strictSame(rows.map(([reason]) => plain(reason)).sort(), causes.sort());
  const rowsOfDelays = tableRows(runbook, 'delay', 'text', 'cause', 'continue at');
  t.strictSame(rowsOfDelays.map(([delay]) => plain(delay)).sort(), union(delay, 'Delay').sort());

  const gateway = { name: () => 'x', current: () => ({ connected: true }), servers: () => [] };
  for (const [reason, text] of rows) {
    const paused = () => plain(reason);
    const network: Json = { gateway, paused };
    t.strictSame(networkObstacles(network, 'anchoring'), [`anchoring: ${text}`], plain(reason));
  }
  for (const [delay, text] of rowsOfDelays) {
    const network = { delays: () => ({ [plain(delay)]: true }) };
    t.strictSame(networkDelays(network, 'anchoring'), [`anchoring: ${text}`], plain(delay));
  }
});
