import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { sign } from '../../../src/webhooks/sign.ts';
import { noChromium, startChromium } from '../../support/chromium.ts';
import { serveModules } from '../../support/module-server.ts';
import { installClient } from '../../support/packed-client.ts';
import { firstKey, newDataDir, type Program, startProgram, stop } from '../../support/program.ts';
import { run } from '../../support/run.ts';
import { openTab } from '../../support/tab.ts';

if (noChromium) console.error(noChromium);

/** The same program for Node, a page and a worker. Resolves with facts to compare. */
const program = `import { Proofmark } from '@proofmark/client';
import { verifyWebhook } from '@proofmark/client/webhooks';

export async function runEverywhere({ place, server, key, delivery }) {
  const proofmark = new Proofmark({ server, apiKey: key });
  const file = new File(['a file in ' + place], place + '.txt', { type: 'text/plain' });
  let read = 0;
  const proof = await proofmark.prove(file, { onProgress: ({ bytes }) => { read = bytes; } });
  let kept = '';
  const journal = { read: async () => kept, append: async (text) => { kept += text; } };
  const files = ['1', '2', '3'].map((name) => new File([name + ' in ' + place], name));
  const results = [];
  for (const round of [1, 2]) {
    for await (const { name, status, proof } of proofmark.proveAll(files, { journal })) {
      results.push([round, name, status, proof.proofNonce.length].join(' '));
    }
  }
  const document = await proofmark.upload(file.stream(), { fileName: place + ' streamed.txt' });
  const certificate = await proofmark.certificate(proof.proofId);
  const names = [];
  for await (const { fileName } of proofmark.list('/documents')) names.push(fileName);
  const event = verifyWebhook(delivery);
  return {
    hash: proof.hash,
    read,
    results,
    revision: document.revision,
    certificate: new TextDecoder().decode(certificate.subarray(0, 5)),
    isListed: names.includes(place + ' streamed.txt'),
    event: event.type,
    path: await proofmark.prove('program.js').then(() => 'proven', ({ code }) => code),
  };
}
`;

const inWorker = `import { runEverywhere } from './program.js';
onmessage = async ({ data }) => {
  postMessage(await runEverywhere(data).catch((error) => ({ error: String(error) })));
};
`;

const inNode = `import { runEverywhere } from './program.js';
console.log(JSON.stringify(await runEverywhere(JSON.parse(process.env.ORDER))));
`;

/** An order to the program, which each place gets with other files. */
function orderFor(place: string, { address }: Program, key: string) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const body = JSON.stringify({ type: 'webhook.test', timestamp: 'T', data: {} });
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const headers = { ...sign({ id: 'D', timestampSeconds, body }, [secret]) };
  return { place, server: address, key, delivery: { secret, headers, body } };
}

function check(t: Test, place: string, found: unknown): void {
  const text = `a file in ${place}`;
  const rounds = [1, 2].flatMap((round) =>
    ['1', '2', '3'].map((name) => `${round} ${name} proven 64`),
  );
  t.strictSame(
    found,
    {
      hash: createHash('sha256').update(text).digest('hex'),
      read: text.length,
      results: rounds,
      revision: 1,
      certificate: '%PDF-',
      isListed: true,
      event: 'webhook.test',
      path: place === 'node' ? 'proven' : 'INVALID_OPTION',
    },
    place,
  );
}

test('the same program proves in Node, in a page of another origin and in a worker', {
  skip: noChromium,
}, async (t) => {
  const service = await startProgram(t, { DATA_DIR: await newDataDir(t) });
  const { key } = await firstKey(service);
  const folder = await installClient(t);
  const files = {
    'program.js': program,
    'worker.js': inWorker,
    'node.js': inNode,
    'page.html': '<!doctype html><link rel="icon" href="data:,"><title>page</title>',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);

  const ORDER = JSON.stringify(orderFor('node', service, key));
  const { stdout, stderr } = await run(t, ['node', 'node.js'], { cwd: folder, env: { ORDER } })
    .ended;
  check(t, 'node', JSON.parse(stdout || JSON.stringify({ stderr })));

  const { url } = await serveModules(t, folder);
  const { page, complaints } = await openTab(await startChromium(t), `${url}/page.html`);
  const order = orderFor('page', service, key);
  const inPage = `import('/program.js').then(({ runEverywhere }) => runEverywhere(${JSON.stringify(order)}))`;
  check(t, 'page', await page.evaluate(inPage));
  const inOther = `new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(${JSON.stringify(orderFor('worker', service, key))});
  })`;
  check(t, 'worker', await page.evaluate(inOther));
  t.strictSame(complaints, []);
  t.match(await stop(service), { code: 0 });
});

/** The command line, and the part of the verifier that asks servers: pages import neither. */
const onlyNode = new Set(['cli/proofmark.js', 'verify/asking.js']);

test('browsers are asked to load no module of Node', async (t) => {
  const folder = join(await installClient(t), 'node_modules/@proofmark/client/dist');

  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.js') || onlyNode.has(name)) continue;
    t.notMatch(await readFile(join(folder, name), 'utf8'), /from ['"]node:/, name);
  }
});
