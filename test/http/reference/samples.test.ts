import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { type Test, test } from 'tap';
import { routes } from '../../../src/http/routes.ts';
import { newFolder } from '../../support/blobs.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { joinHttpService } from '../../support/http-service.ts';
import {
  type SampleLanguage,
  sampleLanguages,
  samplesIn,
} from '../../support/reference-samples.ts';
import { projectRoot, run } from '../../support/run.ts';
import { runSamples } from '../../support/run-samples.ts';
import type { ScriptedDeliveries } from '../../support/scripted-deliveries.ts';

const hasPython = 'import sys; sys.exit(sys.version_info < (3, 8))';
const noPython =
  spawnSync('python3', ['-c', hasPython]).status !== 0 &&
  'NO PYTHON 3.8 OR NEWER, so the examples in Python are not run';
const noCurl =
  spawnSync('curl', ['--version']).status !== 0 && 'NO CURL, so its examples are not run';

for (const reason of [noPython, noCurl]) if (reason) console.error(reason);

const missing = { curl: noCurl, typescript: false, python: noPython } as const;
const exampleId = /01M7XT7V10RJ1CFD26ZBSKQXP6/g;

/** A service with a resource of every kind, and the ids that its calls need. */
async function startSite(t: Test) {
  const site = await startDocumentService(t);
  const { service, key, workspace } = site;
  const post = async (path: string, json: object) => {
    const { status, body } = await service.call('POST', path, { key, json });
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.data;
  };
  const { proofId, documentId, txHash } = (await site.upload({ name: 'a.txt' })).body.data;
  const runId = (await post('/agent/runs', { runId: 'nightly/1' })).runId;
  await service.publish();
  const newWebhook = async (): Promise<string> =>
    (await post('/webhooks', { url: 'https://example.org/hook', events: ['proof.completed'] })).id;
  const newKey = async (): Promise<string> =>
    (await post('/api-keys', { name: 'x', scopes: ['documents:read'] })).id;
  const deliveries = service.services.webhooks as ScriptedDeliveries;
  const html = await (await fetch(`${service.url}/reference`)).text();
  return {
    ...site,
    /** The examples with ids of this service in place of those of the description. */
    async samples(language: SampleLanguage): Promise<ReadonlyMap<string, string>> {
      const webhook = await newWebhook();
      const delivery = deliveries.add(webhook as never).id;
      const own: Readonly<Record<string, string>> = {
        changeWebhook: await newWebhook(),
        deleteWebhook: await newWebhook(),
        revokeApiKey: await newKey(),
      };
      const texts = [...samplesIn(html)].flatMap(([id, each]) => {
        const { [language]: text } = each;
        if (text === undefined || id === 'receive-deliveries') return [];
        const path = routes.based.find((route) => route.operationId === id)?.path ?? '';
        const idOf = path.includes('/documents/')
          ? documentId
          : (own[id] ?? (path.startsWith('/webhooks/') ? webhook : proofId));
        const filled = text
          .replace(`deliveries/01M7XT7V10RJ1CFD26ZBSKQXP6`, `deliveries/${delivery}`)
          .replaceAll(exampleId, idOf)
          .replaceAll('01M7XT7TQ3W1Y1YB2MWHC1M0JS', workspace)
          .replaceAll(/5411333BAAB2[0-9A-F]{52}/g, txHash)
          .replace('nightly%2F2026-11-21', encodeURIComponent(runId))
          .replace('0/x001/234', '0/000.p/2');
        return [[id, filled] as const];
      });
      return new Map(texts);
    },
  };
}

async function loadPage(): Promise<string> {
  const { url } = await joinHttpService();
  return (await fetch(`${url}/reference`)).text();
}

/**
 * Calls that this service refuses, with their codes: it has neither validators nor a time-stamping
 * authority, and not the link, the certificate and the decision of the examples.
 */
const refused: Readonly<Record<string, RegExp>> = {
  getProofXpop: /PROOF_NOT_ATTESTED/,
  getProofTimestamp: /TIMESTAMP_PENDING/,
  withdrawLink: /LINK_NOT_FOUND/,
  getLogCertificate: /NOT_FOUND/,
  getAgentDecisionProof: /RUN_NOT_FOUND/,
};

test('every example runs, in every language', async (t) => {
  const site = await startSite(t);
  const { key } = site;
  for (const language of sampleLanguages) {
    await t.test(language, { skip: missing[language] }, async (t) => {
      const samples = await site.samples(language);
      t.equal(samples.size, routes.based.length + routes.root.length);
      const { outcomes, folder } = await runSamples(t, language, samples, key);
      for (const id of samples.keys()) {
        const { ok, text } = outcomes[id] ?? { ok: false, text: 'did not run' };
        const code = refused[id];
        if (code === undefined) t.ok(ok, `${id}: ${text.slice(0, 300)}`);
        else t.match(text, code, id);
        t.equal(ok, code === undefined, `${id} fails only where the service refuses`);
      }
      const proof = outcomes.createProof?.text ?? '';
      t.match(proof, /proofCommitment/, 'the answer is printed');
      const pdf = await readFile(join(folder, 'certificate.pdf'));
      t.equal(pdf.subarray(0, 5).toString(), '%PDF-');
      const { body } = await site.get('/documents?search=proofmark.txt&limit=100');
      const uploaded = body.data.filter(({ fileSize }: { fileSize: number }) => fileSize === 10);
      t.ok(uploaded.length > 0, 'the file arrived whole');

      const one = new Map([['getProof', samples.get('getProof') ?? '']]);
      const mistyped = await runSamples(t, language, one, 'svc_live_wrong');
      t.equal(mistyped.outcomes.getProof?.ok, false, 'a refused call fails');
      t.match(mistyped.outcomes.getProof?.text, 'INVALID_API_KEY', 'and shows the error');
    });
  }
});

test('every example in TypeScript passes the strict checks of the compiler', async (t) => {
  const html = await loadPage();
  // Within the project, so that the types of Node are found.
  const folder = await newFolder(t);
  const types = { types: ['node'], typeRoots: [join(projectRoot, 'node_modules/@types')] };
  const module = { module: 'nodenext', moduleDetection: 'force', target: 'esnext' };
  const compilerOptions = { ...types, ...module, strict: true, noEmit: true, skipLibCheck: true };
  await mkdir(join(folder, 'samples'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  for (const [id, { typescript }] of samplesIn(html)) {
    if (typescript !== undefined) {
      await writeFile(join(folder, 'samples', `${id}.ts`), typescript);
    }
  }
  const tsc = join(projectRoot, 'node_modules/.bin/tsc');
  const { code, stdout } = await run(t, [tsc, '-p', folder]).ended;
  t.equal(stdout, '');
  t.equal(code, 0);
});

test('the examples accept a genuine delivery and refuse a changed or an old one', async (t) => {
  const html = await loadPage();
  const {
    typescript = '',
    python = '',
    curl = '',
  } = samplesIn(html).get('receive-deliveries') ?? {};
  const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
  const body = JSON.stringify({ type: 'webhook.test', data: { name: 'Ölbild' } });
  const signed = (at: Date, text: string) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('evt_1', at, text)}`,
  });
  const now = new Date();
  const cases = [
    { headers: signed(now, body), body, secret, genuine: true },
    { headers: signed(now, body), body: `${body} `, secret, genuine: false },
    { headers: signed(new Date(now.getTime() - 360_000), body), body, secret, genuine: false },
  ];
  const folder = await newFolder(t);
  await writeFile(join(folder, 'receive.mts'), typescript);
  const { isGenuine } = await import(join(folder, 'receive.mts'));
  for (const each of cases) {
    t.equal(isGenuine(each.headers, each.body, each.secret), each.genuine);
  }
  if (!noPython) {
    const asked = `${python}\n\nimport json, sys\nfor c in json.loads(sys.argv[1]):\n    print(is_genuine(c["headers"], c["body"].encode(), c["secret"]))\n`;
    const { stdout, stderr } = await run(t, ['python3', '-c', asked, JSON.stringify(cases)]).ended;
    t.equal(stdout, 'True\nFalse\nFalse\n', stderr);
  }
  const headers = signed(now, body);
  const env = {
    WEBHOOK_ID: headers['webhook-id'],
    WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
    ...{ BODY: body, SECRET: secret },
  };
  const { stdout } = await run(t, ['sh', '-c', curl], { env }).ended;
  t.ok(headers['webhook-signature'].endsWith(`v1,${stdout.trim()}`), 'openssl computes the same');
});
