import { Webhook } from 'standardwebhooks';
import { type Test, test } from 'tap';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { giveUpProof } from '../../../src/commands/give-up-proof.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import {
  type WebhookEventKind,
  webhookEventKinds,
} from '../../../src/domain/webhook/event-kind.ts';
import { closedDocument, type Json } from '../../support/contract/closed-document.ts';
import { createSchemaChecks, pointerTo } from '../../support/contract/schemas.ts';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { testDeps } from '../../support/event-store.ts';
import { followRecipe } from '../../support/follow-recipe.ts';
import { operator } from '../../support/http-service.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';
import { createScriptedAttesting } from '../../support/scripted-attesting.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';

const document = closedDocument();
const check = createSchemaChecks(document);

/** Makes an event of every kind happen, and returns the first delivery of each. */
async function deliverEveryKind(t: Test) {
  const delivering = deliverWebhooks(t);
  const services = { webhooks: delivering.webhooks, proofWaitMs: 20_000 };
  const site = await startDocumentService(t, { unanchored: true, services });
  const { service, anchoring, organisationId, key, workspace } = site;
  delivering.start(service);
  const receiver = await startReceiver(t);
  const json = { url: receiver.url, events: webhookEventKinds };
  const endpoint = (await service.call('POST', '/webhooks', { key, json })).body.data;
  const headers = { prefer: 'respond-async' };

  const uploaded = (await site.upload({}, { description: 'ä' }, { headers })).body.data;
  await anchoring.anchor(uploaded.proofId);
  await site.get(`/certificates/${uploaded.proofId}`);
  await createScriptedAttesting(service.store).attest(uploaded.proofId);
  const revised = (await site.revise(uploaded.documentId, {}, {}, { headers })).body.data;
  await anchoring.expire(revised.proofId, 'failed');
  await giveUpProof(service.store, revised.proofId, operator);
  const metadata = { description: 'b', caseNumber: 7 };
  const body = { hash: randomDigest(), workspace, fileName: 'a.pdf', metadata };
  const posting = service.call('POST', '/proofs', { key, json: body });
  await anchoring.expire((await anchoring.requested(3)) as ProofId);
  t.match(await posting, { status: 502, body: { code: 'XRPL_ERROR' } });
  const deps = { ...testDeps, store: service.store };
  await createWorkspace(deps, { organisationId, name: 'W' }, operator);
  const run = { runId: 'r', counts: { protected: 1 }, decisions: [] };
  await service.call('POST', '/agent/runs', { key, json: run });
  await service.call('POST', `/webhooks/${endpoint.id}/test`, { key });

  const kindsOf = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).type));
  await until('a delivery of each kind', async () => kindsOf().size === webhookEventKinds.length);
  const first = (kind: WebhookEventKind, proofId?: string) => {
    const found = receiver.received.find(({ body }) => {
      const { type, data } = JSON.parse(body);
      return type === kind && (proofId === undefined || data.proofId === proofId);
    });
    if (found === undefined) throw new Error(`no ${kind} was delivered`);
    return found;
  };
  return { service, endpoint, first, uploaded, revised };
}

const membersOf = (value: Json): readonly string[] => Object.keys(value).sort();

test('deliveries of all kinds are as OpenAPI and /docs describe them, with verifiable signatures', async (t) => {
  const { service, endpoint, first, uploaded, revised } = await deliverEveryKind(t);
  const { webhooks } = (await service.call('GET', '/docs')).body.data;
  t.strictSame(Object.keys(document.webhooks), [...webhookEventKinds]);
  t.strictSame(
    webhooks.events.map(({ kind }: Json) => kind),
    [...webhookEventKinds],
  );
  for (const [place, kind] of webhookEventKinds.entries()) {
    const { headers, body } = first(kind);
    const sent = JSON.parse(body);
    const at = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json'];
    const { example } = at.reduce((from: Json, name) => from[name], document);
    t.equal(check(pointerTo(...at, 'schema'), sent), null, kind);
    t.equal(check(pointerTo(...at, 'schema'), example), null, `the example of ${kind}`);
    t.strictSame(webhooks.events[place].example, example, `${kind} in /docs`);
    t.strictSame(membersOf(sent), membersOf(example), kind);
    const { failure: _, ...members } = sent.data;
    const { failure: __, ...documented } = example.data;
    t.strictSame(membersOf(members), membersOf(documented), `the data of ${kind}`);
    t.notMatch(body, /proofNonce|agentClassification|decisions"/);
    for (const { name } of webhooks.headers) t.type(headers[name], 'string', `${kind}: ${name}`);
    t.same(new Webhook(endpoint.secret).verify(body, headers), sent);
  }

  const pending = { blockchainStatus: 'pending', txHash: null, timestamp: null };
  const rolledBack = { code: 'XRPL_ERROR', message: String, final: true };
  t.match(JSON.parse(first('upload.failed').body), {
    data: { ...pending, id: revised.documentId, failure: { ...rolledBack, code: 'GIVEN_UP' } },
  });
  for (const { body } of [first('proof.failed'), first('proof.failed', revised.proofId)]) {
    t.match(JSON.parse(body).data, { ...pending, failure: { final: true } });
  }
  t.match(JSON.parse(first('proof.completed', uploaded.proofId).body), {
    data: { blockchainStatus: 'completed', failure: undefined },
  });
});

test('the signature command of /docs gives the signature of a delivery and of its example', async (t) => {
  const delivering = deliverWebhooks(t);
  const site = await startDocumentService(t, { services: { webhooks: delivering.webhooks } });
  const { service, key } = site;
  delivering.start(service);
  const receiver = await startReceiver(t);
  const json = { url: receiver.url, events: ['webhook.test'] };
  const { id, secret } = (await service.call('POST', '/webhooks', { key, json })).body.data;
  await service.call('POST', `/webhooks/${id}/test`, { key });
  const [received] = receiver.received;
  const { signature } = (await service.call('GET', '/docs')).body.data.webhooks;
  const { run, needs, example } = signature;
  const signed = [{ ...received, secret }, example];
  for (const { headers, body, secret: SECRET } of signed) {
    const [scheme, expected] = headers['webhook-signature'].split(',');
    t.equal(scheme, 'v1');
    const variables = {
      WEBHOOK_ID: headers['webhook-id'],
      WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
      ...{ BODY: body, SECRET },
    };
    const expect = [{ value: 'signature', equals: expected }];
    const recipe = { name: 'signature', when: '', hashSchemes: [], needs, expect };
    const steps = [{ run, gives: 'signature' }];
    t.ok(await followRecipe({ ...recipe, steps }, variables, '/'));
  }
});
