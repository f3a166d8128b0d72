import { createHash } from 'node:crypto';
import { test } from 'tap';
import { verifyDecision } from '../../../clients/typescript/src/decisions.ts';
import { ProofmarkError } from '../../../clients/typescript/src/errors.ts';
import { Proofmark } from '../../../clients/typescript/src/proofmark.ts';
import { verifyWebhook } from '../../../clients/typescript/src/webhooks.ts';
import { scopes } from '../../../src/domain/key/scope.ts';
import { documentOf, type Json } from '../../support/contract/closed-document.ts';
import { openOrganisation } from '../../support/open-organisation.ts';
import { newDataDir, startProgram, stop } from '../../support/program.ts';
import { startScriptedService } from '../../support/scripted-service.ts';

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly form: RegExp;
}

const operations: Operation[] = Object.entries<Json>(documentOf().paths).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((member) => member !== 'servers')
    .map((method) => {
      const base = item.servers === undefined ? '/api/v1' : '';
      const form = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'tile' ? '.+' : '[^/]+'));
      const [verb, pattern] = [method.toUpperCase(), new RegExp(`^${base}${form}$`)];
      return { name: `${verb} ${path}`, method: verb, form: pattern };
    }),
);

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (error) => error,
  );
  return error instanceof ProofmarkError ? error.code : `${error}`;
}

test('every operation of a running service is reachable, with the types of the document', async (t) => {
  const receiver = await startScriptedService(t, (response) => response.writeHead(204).end());
  const env = {
    DATA_DIR: await newDataDir(t),
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ADDRESS_REQUESTS_PER_MINUTE: '1000000',
  };
  const program = await startProgram(t, env);
  const { key, workspace } = await openOrganisation(env, scopes);
  const reached = new Set<string>();
  const proofmark = new Proofmark({
    server: program.address,
    apiKey: key,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      // The longest template: /proofs/batch is no proof.
      const operation = operations
        .filter(({ method, form }) => method === request.method && form.test(pathname))
        .sort((a, b) => Number(a.name.includes('{')) - Number(b.name.includes('{')))[0];
      reached.add(operation?.name ?? `${request.method} ${pathname}`);
      return fetch(request);
    },
  });
  const { api } = proofmark;

  await t.test('proofs', async (t) => {
    const bytes = new TextEncoder().encode('a file that stays here');
    const proof = await proofmark.prove(bytes, { fileName: 'here.txt', metadata: { case: '1' } });
    t.match(proof, { hash: sha256(bytes), alreadyProven: false, proofNonce: /^[0-9a-f]{64}$/ });
    const onLedger = { path: { txHash: proof.txHash ?? '' } };
    const found = await api.GET('/api/public/verify/{txHash}', { params: onLedger });
    t.equal(found.body.data.verified, true);
    const again = await proofmark.prove(bytes);
    t.match(again, { alreadyProven: true, proofId: proof.proofId, proofNonce: null });
    const [known, unknown] = await proofmark.lookUp([proof.hash, sha256('other')]);
    t.match([known?.proven, unknown?.proven], [true, false]);

    const params = { path: { proofId: proof.proofId } };
    const { body } = await api.GET('/proofs/{proofId}', {
      params: { ...params, query: { includeSalt: true } },
    });
    t.equal(body.data.proofNonce, proof.proofNonce);
    t.equal(body.data.fileName, 'here.txt');
    const certificate = await proofmark.certificate(proof.proofId);
    t.equal(Buffer.from(certificate.subarray(0, 5)).toString(), '%PDF-');
    const bundle = JSON.parse(await proofmark.bundle(proof.proofId));
    t.equal(bundle.file.fileHash, proof.hash);
    const shared = JSON.parse(await proofmark.bundle(proof.proofId, { share: true, number: 1 }));
    t.equal(shared.commitment.nonce, null);
    const xpop = await proofmark.whenReady(() => api.GET('/proofs/{proofId}/xpop', { params }));
    t.ok(xpop.body.ledger);
    const inclusion = await proofmark.whenReady(() =>
      api.GET('/proofs/{proofId}/inclusion', { params }),
    );
    t.ok(inclusion.body.data.checkpoint);
    t.equal(await codeOf(api.GET('/proofs/{proofId}/timestamp', { params })), 'TIMESTAMP_PENDING');
    const certificates = await Array.fromAsync(
      proofmark.list('/proofs/{proofId}/certificates', { params }),
    );
    t.equal(certificates[0]?.number, 1);

    const link = await api.POST('/proofs/{proofId}/links', {
      params,
      body: { showFileName: true },
    });
    t.match(link.body.data.url, program.address);
    const links = await Array.fromAsync(proofmark.list('/proofs/{proofId}/links', { params }));
    t.equal(links.length, 1);
    const withdrawn = { path: { ...params.path, linkId: link.body.data.id } };
    await api.DELETE('/proofs/{proofId}/links/{linkId}', { params: withdrawn });

    const inLog = { proofId: proof.proofId };
    const leaf = await api.GET('/log/proofs/{proofId}', { params: { path: inLog } });
    t.ok(leaf.body.data);
    const issued = { sha256: sha256(await proofmark.certificate(proof.proofId, { number: 1 })) };
    t.ok(await api.GET('/log/certificates/{sha256}', { params: { path: issued } }));
  });

  await t.test('many files', async (t) => {
    const files = ['one', 'two', 'one'].map((text, at) => new File([text], `${at}.txt`));
    const results = await Array.fromAsync(proofmark.proveAll(files));
    t.strictSame(
      results.map(({ name, status }) => `${name} ${status}`),
      ['0.txt proven', '1.txt proven', '2.txt proven'],
    );
  });

  await t.test('documents', async (t) => {
    const first = await proofmark.upload(new File(['first'], 'letter.txt'), {
      description: 'a letter',
      metadata: { case: '2' },
    });
    t.match(first, { fileName: 'letter.txt', description: 'a letter', revision: 1 });
    const second = await proofmark.uploadRevision(first.id, new Blob(['second']), {
      fileName: 'letter.txt',
    });
    t.match(second, { revision: 2, previousDocumentId: first.id });
    const params = { path: { id: second.id } };
    t.equal((await api.GET('/documents/{id}', { params })).body.data.revision, 2);
    const file = await api.GET('/documents/{id}/file', { params, parseAs: 'text' });
    t.equal(file.body, 'second');
    const versions = await Array.fromAsync(proofmark.list('/documents/{id}/versions', { params }));
    t.equal(versions.length, 2);
    const names: unknown[] = [];
    const query = { limit: 2, workspace };
    for await (const { fileName } of proofmark.list('/documents', { params: { query } })) {
      names.push(fileName);
    }
    t.strictSame(names.length, 5, 'all pages, each item once');
  });

  await t.test('runs', async (t) => {
    const decisions = [{ subject: 'a.pdf', action: 'protect' }];
    const body = { runId: 'nightly/1', workspace, anchor: true, decisions };
    const { body: recorded } = await api.POST('/agent/runs', { body });
    t.equal(recorded.data.runId, 'nightly/1');
    const params = { path: { id: 'nightly/1' } };
    t.equal((await api.GET('/agent/runs/{id}', { params })).body.data.runId, 'nightly/1');
    const statement = await api.GET('/agent/runs/{id}/statement', { params, parseAs: 'text' });
    t.match(statement.body, /"format":"proofmark\/agent-run"/);
    const decision = { path: { id: 'nightly/1', index: 0 } };
    const shown = await api.GET('/agent/runs/{id}/decisions/{index}', { params: decision });
    t.match(shown.body.data.decision, decisions[0]);
    t.equal(verifyDecision(shown.body.data), sha256(statement.body));
    t.equal(shown.body.data.proof?.fileHash, sha256(statement.body));
    t.equal((await Array.fromAsync(proofmark.list('/agent/runs'))).length, 1);
    t.equal((await Array.fromAsync(proofmark.list('/agent/decisions'))).length, 1);
  });

  await t.test('webhooks', async (t) => {
    const url = `${receiver.url}/hook`;
    const { body } = await api.POST('/webhooks', { body: { url, events: ['proof.completed'] } });
    const { id, secret } = body.data;
    const params = { path: { id } };
    const tested = await api.POST('/webhooks/{id}/test', { params });
    t.ok(tested.body.data);
    const [delivery] = receiver.calls;
    t.match(
      verifyWebhook({ secret, headers: delivery?.headers ?? {}, body: delivery?.body ?? '' }),
      { type: 'webhook.test', data: { id } },
    );
    await api.PATCH('/webhooks/{id}', { params, body: { description: 'ours' } });
    t.equal((await Array.fromAsync(proofmark.list('/webhooks'))).length, 1);
    const deliveries = await Array.fromAsync(
      proofmark.list('/webhooks/{id}/deliveries', { params }),
    );
    const deliveryId = deliveries[0]?.deliveryId ?? '';
    const retried = { path: { id, deliveryId } };
    await api.POST('/webhooks/{id}/deliveries/{deliveryId}/retry', { params: retried });
    const failedSince = { params, body: { since: '2026-01-01T00:00:00Z' } };
    const retriedAll = await api.POST('/webhooks/{id}/deliveries/retry', failedSince);
    t.equal(retriedAll.body.data.remaining, 0);
    const rotated = await api.POST('/webhooks/{id}/rotate-secret', { params });
    t.not(rotated.body.data.secret, secret);
    await api.DELETE('/webhooks/{id}', { params });
    t.equal((await Array.fromAsync(proofmark.list('/webhooks'))).length, 0);
  });

  await t.test('keys', async (t) => {
    const order = { name: 'sweeper', scopes: ['documents:write' as const], agent: true };
    const { body } = await api.POST('/api-keys', { body: order });
    const keys = await Array.fromAsync(proofmark.list('/api-keys'));
    t.ok(keys.some(({ id }) => id === body.data.id));
    const agent = new Proofmark({ server: program.address, apiKey: body.data.key, workspace });
    t.equal(await codeOf(agent.lookUp([sha256('x')])), 'SCOPE_NOT_PERMITTED');
    const [result] = await Array.fromAsync(agent.proveAll([new File(['by agent'], 'a.txt')]));
    t.equal(result?.status, 'proven', 'a key that may not look up proves all the same');
    await api.DELETE('/api-keys/{id}', { params: { path: { id: body.data.id } } });
    t.equal(await codeOf(agent.proveHash(sha256('x'))), 'INVALID_API_KEY');
  });

  await t.test('the log, and the service itself', async (t) => {
    t.equal((await api.GET('/healthz')).status, 200);
    t.equal((await api.GET('/readyz')).status, 200);
    t.ok((await api.GET('/docs')).body.data);
    t.ok((await api.GET('/openapi.json')).body.openapi);
    t.ok(await Array.fromAsync(proofmark.list('/workspaces')));
    t.ok(await Array.fromAsync(proofmark.list('/issuer-keys')));
    t.ok((await api.GET('/log/verifiers')).body.data);
    const checkpoint = await api.GET('/log/checkpoint', { parseAs: 'text' });
    t.match(checkpoint.body, /\n\d+\n/);
    for await (const each of proofmark.list('/log/checkpoints')) {
      t.ok(each);
      break;
    }
    const leaf = { params: { path: { leafIndex: 0 } } };
    t.ok((await api.GET('/log/leaves/{leafIndex}', leaf)).body.data);
    const tile = { params: { path: { tile: '0/000.p/1' } }, parseAs: 'arrayBuffer' } as const;
    t.equal((await api.GET('/log/tile/{tile}', tile)).body.byteLength, 32);
  });

  t.strictSame(new Set(operations.map(({ name }) => name)).difference(reached), new Set());
  t.match(await stop(program), { code: 0 });
});
