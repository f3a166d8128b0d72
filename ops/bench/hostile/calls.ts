import { randomBytes } from 'node:crypto';
import { runBodies } from './bodies.ts';
import type { Sent } from './client.ts';

/** Resources of the hostile organisation. */
export interface HostileBelongings {
  readonly workspace: string;
  /** Anchored proofs without a certificate. */
  readonly proofIds: readonly string[];
  /** Id of a recorded run of 8 MB. */
  readonly largeRun: string;
  readonly documentId: string;
  /** Id of a webhook endpoint that never answers. */
  readonly webhookId: string;
  readonly documents: number;
}

/**
 * A named call. `make` builds its nth instance; `cost` is the number of requests that it counts as.
 */
export type HostileCall = readonly [name: string, make: (nth: number) => Sent, cost?: number];

/** Cost of a search that reads all documents. */
const searchCost = 10;

const mb = 1_048_576;

/** Number of requests that a call counts as; a report counts by its announced size. */
export function costOf([, , cost = 1]: HostileCall, { path, method, headers, body }: Sent): number {
  if (path !== '/agent/runs' || method !== 'POST') return cost;
  const announced = Number(headers?.['content-length'] ?? body?.length ?? 0);
  return Math.max(cost, Math.ceil(announced / mb));
}

/** Calls of every expensive route, each in its most expensive forms. */
export function hostileCalls(of: HostileBelongings): readonly HostileCall[] {
  const runs = Object.entries(runBodies).map(
    ([name, body]): HostileCall => [
      `run: ${name}`,
      (nth) => post('/agent/runs', body(`${name} ${nth}`)),
    ],
  );
  return interleaved([runs, bodies(of), lists(of), certificates(of), uploads(of), webhooks(of)]);
}

function bodies({ workspace, largeRun }: HostileBelongings): HostileCall[] {
  const declared = { 'content-type': 'application/json', 'content-length': 7_864_320 };
  const run = { method: 'POST', path: '/agent/runs', headers: declared } as const;
  const small = Buffer.from(JSON.stringify({ runId: largeRun }));
  const noise = Buffer.from(
    `{"hash":1,"workspace":"${workspace}","x":[${'{},'.repeat(340_000)}{}]}`,
  );
  const proof = JSON.stringify({ hash: 'a'.repeat(64), workspace, 'x\\': '[' });
  return [
    ['body: unfinished', () => ({ ...run, stopAfter: 7_000_000 })],
    ['body: unfinished again', () => ({ ...run, stopAfter: 7_800_000 })],
    ['body: slow', () => ({ ...run, stopAfter: 1_000_000, trickleMs: 100 })],
    ['body: run that is on record', () => post('/agent/runs', small)],
    ['body: proof full of objects', () => post('/proofs', noise)],
    ['body: proof', () => post('/proofs', Buffer.from(proof))],
    ['body: key', () => post('/api-keys', Buffer.from('{"scopes":["documents:read"]}'))],
  ];
}

function lists({ largeRun, documents }: HostileBelongings): HostileCall[] {
  const get = (path: string, more: Partial<Sent> = {}) => ({ method: 'GET', path, ...more });
  const run = `/agent/runs/${encodeURIComponent(largeRun)}`;
  const lastPage = Math.floor(documents / 100);
  const letters = 'etaoinsrhldcumfpgwybvkxjqz';
  return [
    [
      'list: search of a letter',
      (n) => get(`/documents?limit=100&search=${letters[n % 26]}`),
      searchCost,
    ],
    ['list: search of two', (n) => get(`/documents?limit=100&page=${n + 1}&search=in`), searchCost],
    ['list: search of much', () => get(`/documents?limit=100&search=${'in'.repeat(3_000)}`)],
    ['list: last page', () => get(`/documents?limit=100&page=${lastPage}`)],
    [
      'list: beyond the end',
      () => get('/documents?limit=100&page=1000000000&search=o'),
      searchCost,
    ],
    ['list: runs', () => get('/agent/runs?limit=100')],
    ['list: runs, not read', () => get('/agent/runs?limit=100', { unread: true })],
    ['list: decisions', () => get('/agent/decisions?limit=100')],
    [
      'list: decisions by time',
      () => get('/agent/decisions?limit=100&page=2&action=a&to=2099-01-01T00:00:00Z'),
    ],
    ['list: run', () => get(run)],
    ['list: run, not read', () => get(run, { unread: true })],
  ];
}

function certificates({ proofIds }: HostileBelongings): HostileCall[] {
  const idOf = (nth: number) => proofIds[nth % proofIds.length];
  return [
    ['certificate', (n) => ({ method: 'GET', path: `/certificates/${idOf(2 * n)}` })],
    ['bundle', (n) => ({ method: 'GET', path: `/proofs/${idOf(2 * n + 1)}/bundle` })],
    ['certificate again', () => ({ method: 'GET', path: `/certificates/${idOf(0)}` })],
  ];
}

const boundary = 'proofmark-bench';
const type = `multipart/form-data; boundary=${boundary}`;

function uploads({ workspace, documentId }: HostileBelongings): HostileCall[] {
  const part = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
  const fields = part('workspace', workspace);
  const form = (body: Buffer, path = '/documents') => {
    return { method: 'POST', path, headers: { 'content-type': type }, body };
  };
  const whole = (bytes: number) =>
    Buffer.concat([
      Buffer.from(`${fields}${part('description', 'x'.repeat(400))}${file}`),
      randomBytes(bytes),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
  const manyHeaders = `--${boundary}\r\n${'X-Header: 1\r\n'.repeat(70_000)}\r\n`;
  return [
    ['form: thousands of parts', () => form(Buffer.from(part('a', 'b').repeat(10_000)))],
    [
      'form: long fields',
      () => form(Buffer.from(part('description', 'x'.repeat(16_000)).repeat(60))),
    ],
    ['form: heads of parts', () => form(Buffer.from(manyHeaders.repeat(2)))],
    [
      'form: near misses',
      () => form(Buffer.from(fields + file + `\r\n--${boundary.slice(0, -1)}`.repeat(500_000))),
    ],
    ['form: file', () => form(whole(20_000_000))],
    ['form: revision', () => form(whole(100_000), `/documents/${documentId}/version`)],
    ['form: unfinished', () => ({ ...form(whole(2_000_000)), stopAfter: 1_900_000 })],
  ];
}

function webhooks({ webhookId }: HostileBelongings): HostileCall[] {
  return [
    ['webhook: test', () => ({ method: 'POST', path: `/webhooks/${webhookId}/test` })],
    [
      'webhook: deliveries',
      () => ({ method: 'GET', path: `/webhooks/${webhookId}/deliveries?limit=100&page=9` }),
    ],
  ];
}

function post(path: string, body: Buffer): Sent {
  return { method: 'POST', path, body };
}

/** Takes one call of each kind in turn, so that a short attack covers all kinds. */
function interleaved(kinds: readonly (readonly HostileCall[])[]): HostileCall[] {
  const longest = Math.max(...kinds.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) =>
    kinds.flatMap((calls) => (calls[place] === undefined ? [] : [calls[place]])),
  ).flat();
}
