import { test } from 'tap';
import { endWait } from '../../src/commands/end-wait.ts';
import { giveUpProof } from '../../src/commands/give-up-proof.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import type { WebhookEventKind } from '../../src/domain/webhook/event-kind.ts';
import { createKnownLedgers } from '../../src/views/known-ledgers.ts';
import { createWebhookData } from '../../src/views/webhook-data.ts';
import { deliveryBody } from '../../src/webhooks/delivery-body.ts';
import { joinDocumentService, startDocumentService } from '../support/document-service.ts';
import { operator } from '../support/http-service.ts';
import { randomDigest } from '../support/scripted-anchoring.ts';

type DocumentService = Awaited<ReturnType<typeof startDocumentService>>;

/** The data of a delivery as it would be sent now. */
async function dataOf(
  { service, organisationId }: DocumentService,
  kind: WebhookEventKind,
  resourceId: string,
  rootId: string | null = null,
  position?: number,
) {
  const { services, store } = service;
  const build = createWebhookData({
    ...{ ...services.events, publicUrl: services.site.publicUrl },
    ledgers: createKnownLedgers(services.events),
  });
  const head = position ?? (await store.head());
  return build({ kind, organisationId, resourceId, rootId, position: head });
}

/** Values that must never be sent. */
function hasSecrets(data: object | null): boolean {
  return /nonce"|classification|decisions"|S3CRET/i.test(JSON.stringify(data));
}

test('the data of a proof are those of GET, without the nonce', async (t) => {
  const site = await joinDocumentService();
  const json = { hash: randomDigest(), workspace: site.workspace, fileName: 'Übersicht.pdf' };
  const posted = await site.service.call('POST', '/proofs', { key: site.key, json });
  const { proofId } = posted.body.data;
  const { proofNonce, ...item } = (await site.get(`/proofs/${proofId}`)).body.data;
  t.equal(proofNonce, null);
  for (const kind of ['proof.completed', 'certificate.generated'] as const) {
    const data = await dataOf(site, kind, proofId);
    t.strictSame(data, item);
    t.notOk(hasSecrets(data));
  }
  t.match(item, { blockchainStatus: 'completed', fileName: 'Übersicht.pdf' });
});

test('the data of a document are those of GET, without nonce and classification', async (t) => {
  const site = await joinDocumentService();
  const agent = await site.service.issueKey(site.organisationId, { agent: true });
  const agentClassification = JSON.stringify({ runId: 'S3CRET', kind: 'S3CRET' });
  const fields = { description: 'ein Text', agentClassification };
  const first = (await site.upload({}, fields, { key: agent })).body.data;
  const second = (await site.revise(first.documentId)).body.data;
  for (const { documentId } of [first, second]) {
    const shown = (await site.get(`/documents/${documentId}`)).body.data;
    const { proofNonce: _, agentClassification: __, ...item } = shown;
    for (const kind of ['document.created', 'revision.created', 'upload.completed'] as const) {
      const data = await dataOf(site, kind, documentId, first.documentId);
      t.strictSame(data, item);
      t.notOk(hasSecrets(data));
    }
  }
});

test('the data of a failed proof or upload are its last state with the failure', async (t) => {
  const site = await startDocumentService(t, {
    unanchored: true,
    services: { calls: { proofWaitMs: 1 } },
  });
  const { anchoring, service } = site;
  const { documentId } = (await site.upload()).body.data ?? {};
  t.equal(documentId, undefined, 'its proof is not settled yet');
  const uploaded = await anchoring.requested(1);
  const listed = (await site.get('/documents')).body.data[0];
  await anchoring.expire(uploaded, 'failed');
  await giveUpProof(service.store, uploaded, operator);
  const { proofNonce: _, agentClassification: __, ...item } = listed;
  const failure = { code: 'GIVEN_UP', message: String, final: true };
  const gone = { ...item, blockchainStatus: 'pending', timestamp: null, txHash: null };
  const data = await dataOf(site, 'upload.failed', item.documentId, item.documentId);
  t.match(data, { ...gone, failure });
  t.strictSame(Object.keys(data ?? {}), [...Object.keys(item), 'failure']);
  t.equal((await site.get(`/documents/${item.documentId}`)).status, 404);
  const json = { hash: randomDigest(), workspace: site.workspace };
  await service.call('POST', '/proofs', { key: site.key, json });
  const proofId = await anchoring.requested(2);
  await endWait(service.store, proofId, operator);
  const withdrawn = await dataOf(site, 'proof.failed', proofId);
  const rolledBack = { code: 'XRPL_ERROR', message: String, final: true };
  t.match(withdrawn, { proofId, blockchainStatus: 'pending', txHash: null, ledgerIndex: null });
  t.match(withdrawn, { failure: rolledBack });
  t.notOk(hasSecrets(withdrawn));
  t.match(await dataOf(site, 'proof.failed', uploaded), { blockchainStatus: 'pending', failure });
});

test('the data of a workspace or run are its item in the list', async (t) => {
  const site = await startDocumentService(t);
  const [workspace] = (await site.get('/workspaces')).body.data;
  t.strictSame(await dataOf(site, 'workspace.created', site.workspace), workspace);
  const agent = await site.service.issueKey(site.organisationId, { agent: true });
  const decisions = [{ subject: 'S3CRET', action: 'skip' }];
  const json = { runId: 'nightly/1', counts: { protected: 1 }, objective: 'contracts', decisions };
  await site.service.call('POST', '/agent/runs', { key: agent, json });
  const [run] = (await site.get('/agent/runs')).body.data;
  const [event] = await site.service.store.readLog(0, 1, ['RunRecorded']);
  const data = await dataOf(site, 'agent.run.recorded', 'any', null, event?.position);
  t.strictSame(data, run);
  t.notOk(hasSecrets(data));
  t.equal(run.runId, 'nightly/1');
});

test('a missing resource has no data', async (t) => {
  const site = await joinDocumentService();
  const none = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ProofId;
  for (const kind of ['proof.completed', 'document.created', 'workspace.created'] as const) {
    t.equal(await dataOf(site, kind, none, none), null);
  }
});

test('the largest description and name still fit into the body', async (t) => {
  const site = await joinDocumentService();
  const name = `${'\u{1f512}'.repeat(60)}.txt`;
  const { documentId } = (await site.upload({ name }, { description: '\u{1f512}'.repeat(250) }))
    .body.data;
  const data = (await dataOf(site, 'document.created', documentId, documentId)) ?? {};
  const body = deliveryBody({ type: 'document.created', timestamp: 'now', data });
  t.ok(Buffer.byteLength(body) < 20_000);
  t.equal(JSON.parse(body).data.omitted, undefined);
});
