import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import { installClient } from '../../support/packed-client.ts';
import { failed, hashOf, startProvingSite, workspace } from '../../support/proving-site.ts';
import { type Outcome, run } from '../../support/run.ts';
import { failure, json, startScriptedService } from '../../support/scripted-service.ts';

/** Runs the packed command line with a manifest of these lines. */
async function openSite(t: Test, url: string) {
  const project = await installClient(t);
  const cwd = join(project, 'files');
  await mkdir(cwd);
  const env = {
    PATH: `${join(project, 'node_modules/.bin')}:${process.env.PATH}`,
    ...{ PROOFMARK_SERVER: url, PROOFMARK_API_KEY: 'k', PROOFMARK_WORKSPACE: workspace },
  };
  return async (lines: readonly string[]): Promise<Outcome> => {
    await writeFile(join(cwd, 'list'), lines.map((line) => `${line}\n`).join(''));
    const command = ['proofmark', 'prove', '--manifest', 'list', '--json'];
    return run(t, command, { cwd, env, takesInput: false }).ended;
  };
}

const linesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `${hashOf(`${at}`)}  scans/${at}.txt`);

const resultsOf = ({ stdout }: Outcome) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('a manifest is looked up and sent in batches, in its order, and one refused hash stops no other', async (t) => {
  const refused = hashOf('3');
  const { url, calls, lookUps, batches } = await startProvingSite(t, ({ hash }) =>
    hash === refused ? failed('INVALID_REQUEST') : null,
  );
  const prove = await openSite(t, url);
  const lines = [...linesOf(2_500), `${hashOf('7')}  again.txt`];
  const found = await prove(lines);
  t.match(found, { code: 1, stderr: '2500 of 2501 files proven.\n' });
  const results = resultsOf(found);
  t.strictSame(
    results.map(({ name, status }) => `${name} ${status}`),
    lines.map((line) => {
      const name = line.slice(66);
      return `${name} ${name === 'scans/3.txt' ? 'failed' : 'proven'}`;
    }),
  );
  t.notOk(
    results.some((result) => 'size' in result),
    'no size is known',
  );
  t.equal(results[7].proofId, results.at(-1).proofId, 'equal hashes have one proof');
  t.strictSame(
    [lookUps, batches].map((all) => all.map(({ length }) => length)),
    [
      [1_000, 1_000, 501],
      [1_000, 1_000, 500],
    ],
  );
  t.strictSame(batches[0]?.[0], { fileName: '0.txt', hash: hashOf('0') });
  t.equal(calls.length, 6);

  const again = await prove(lines);
  t.equal(again.code, 1);
  t.strictSame(resultsOf(again).length, 2_501);
  t.strictSame(batches.slice(3), [[{ fileName: '3.txt', hash: refused }]]);
});

/** A service that allows 10,000 items in a day, and counts requests. */
async function startLimitedService(t: Test) {
  const proven = new Set<string>();
  const day = { items: 10_000, requests: 0 };
  const { url } = await startScriptedService(t, (response, call) => {
    day.requests += 1;
    const { hashes, items } = JSON.parse(call.body);
    const proof = (hash: string) => ({
      ...{ proofId: `P${hash}`, txHash: 'T', timestamp: '2026-11-21T01:06:31.000Z' },
      proofNonce: null,
    });
    if (call.path.endsWith('/lookup')) {
      const known = (hash: string) =>
        proven.has(hash) ? { proven: true, ...proof(hash) } : { proven: false, proofId: null };
      const data = hashes.map((hash: string) => ({ hash, ...known(hash) }));
      json(200, { success: true, data })(response, call);
      return;
    }
    if (!call.path.endsWith('/batch')) {
      failure(404, 'NOT_FOUND')(response, call);
      return;
    }
    const isAllowed = items.length <= day.items;
    if (isAllowed) day.items -= items.length;
    const headers = { ratelimit: `"items";r=${day.items};t=40000` };
    if (!isAllowed) {
      const limited = { ...headers, 'retry-after': '40000' };
      failure(429, 'RATE_LIMIT_EXCEEDED', limited)(response, call);
      return;
    }
    const data = items.map(({ hash }: { readonly hash: string }) => {
      proven.add(hash);
      return { status: 201, body: { success: true, data: proof(hash) } };
    });
    json(200, { success: true, data }, headers)(response, call);
  });
  return { url, day };
}

test('a manifest of more hashes than the items of a day is finished on later days', async (t) => {
  const { url, day } = await startLimitedService(t);
  const prove = await openSite(t, url);
  const lines = linesOf(25_000);
  const outcomes: [number | null, number][] = [];
  for (const itemsLeft of [500, 9_200, 10_000, 10_000]) {
    Object.assign(day, { items: itemsLeft, requests: 0 });
    const found = await prove(lines);
    const results = resultsOf(found);
    t.ok(
      results.every(({ status, name }, at) => status === 'proven' && name === `scans/${at}.txt`),
    );
    outcomes.push([found.code, results.length]);
    t.ok(day.requests < 60, `${day.requests} requests`);
    if (found.code !== 0) t.match(found.stderr, /^proofmark: .*RATE_LIMIT_EXCEEDED/);
  }
  t.strictSame(outcomes, [
    [3, 500],
    [3, 9_700],
    [3, 19_700],
    [0, 25_000],
  ]);
});

test('hashes of files that are elsewhere are proven in batches, too', async (t) => {
  const { proofmark, batches } = await startProvingSite(t);
  const [one, two] = [hashOf('1'), hashOf('2')];
  const list = [
    { name: 'scans/1.txt', hash: one, size: 1 },
    { name: '2.txt', hash: two },
  ];
  const found = await Array.fromAsync(proofmark.proveAll(list));
  t.match(found, [
    { status: 'proven', name: 'scans/1.txt', hash: one, size: 1 },
    { status: 'proven', name: '2.txt', hash: two, size: 0 },
  ]);
  t.strictSame(batches, [
    [
      { fileSize: 1, fileName: 'scans/1.txt', hash: one },
      { fileName: '2.txt', hash: two },
    ],
  ]);
});

test('hashes in upper case are sent in lower case, and are the same as those in lower case', async (t) => {
  const { proofmark, proofs, batches, lookUps } = await startProvingSite(t);
  const hash = hashOf('1');
  const list = [
    { name: '1.txt', hash: hash.toUpperCase() },
    { name: 'again.txt', hash },
  ];
  const found = await Array.fromAsync(proofmark.proveAll(list));
  t.match(found, [
    { status: 'proven', name: '1.txt', hash },
    { status: 'proven', name: 'again.txt', hash },
  ]);
  t.strictSame(batches, [[{ fileName: '1.txt', hash }]]);
  t.match(await proofmark.lookUp([hash.toUpperCase()]), [{ hash, proven: true }]);
  t.strictSame(lookUps, [[hash], [hash]]);
  t.strictSame([...proofs.keys()], [hash]);
});

test('a text that is no SHA-256 is refused before anything is sent', async (t) => {
  const { url, calls } = await startScriptedService(t, failure(400, 'INVALID_HASH'));
  const proofmark = new Proofmark({ server: url, workspace });
  for (const hash of ['AG'.repeat(32), 'AB', 'ab', '']) {
    const run = Array.fromAsync(proofmark.proveAll([{ name: 'a', hash }]));
    await t.rejects(run, { code: 'INVALID_OPTION', message: /64 hexadecimal/ }, hash);
  }
  t.equal(calls.length, 0);
});
