import { hash } from 'node:crypto';
import { test } from 'tap';
import { ulid } from 'ulid';
import { startDocumentService } from '../../support/document-service.ts';
import { openTestStore } from '../../support/event-store.ts';
import type { Answer } from '../../support/http-service.ts';
import { markedEntry } from '../../support/marked-event.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';
import { sigstoreAccepts } from '../../support/sigstore-verifier.ts';

/** Text of the leaf in RFC 8785 order, made only from members of the answer. */
function recordOf(event: Record<string, unknown>): Buffer {
  return Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(event).sort())));
}

test('the answer alone proves to anyone that the anchoring is in the published log', async (t) => {
  const site = await startDocumentService(t);
  const { service, key, workspace } = site;
  const prove = async (): Promise<string> => {
    const json = { hash: randomDigest(), workspace };
    return (await service.call('POST', '/proofs', { key, json })).body.data.proofId;
  };
  const inclusion = (proofId: string): Promise<Answer> =>
    service.call('GET', `/proofs/${proofId}/inclusion`, { key });
  const proofId = await prove();
  t.match(await inclusion(proofId), { status: 409, body: { code: 'CHECKPOINT_PENDING' } });
  await service.publish();
  const later = await prove();
  t.equal((await inclusion(proofId)).status, 200);
  t.match(await inclusion(later), { status: 409, body: { code: 'CHECKPOINT_PENDING' } });
  const many = Array.from({ length: 700 }, String);
  await service.store.append([markedEntry('many', 0, ...many)], {});
  await service.publish();

  const { pool } = openTestStore(t, service.databaseUrl, { maxConnections: 1 });
  for (const asked of [proofId, later]) {
    const { status, body, text } = await inclusion(asked);
    t.equal(status, 200, text);
    const { data } = body;
    const record = recordOf(data.event);
    const leaf = hash('sha256', Buffer.concat([Buffer.of(0), record]), 'hex');
    t.equal(leaf, data.leafHash);
    t.equal(data.treeSize, await service.store.head());
    t.equal(data.checkpoint, (await service.call('GET', '/log/checkpoint')).text);
    t.equal(data.event.stream, `proof-${asked}`);
    const entry = {
      record,
      index: data.leafIndex,
      proof: data.hashes.map((hex: string) => Buffer.from(hex, 'hex')),
      note: data.checkpoint,
      vkey: data.logKeys[0],
    };
    t.ok(sigstoreAccepts(entry));
    t.notOk(sigstoreAccepts({ ...entry, record: Buffer.concat([record, Buffer.of(32)]) }));
    const { rows } = await pool.query('SELECT * FROM events WHERE position = $1', [
      data.leafIndex + 1,
    ]);
    t.equal(rows[0].type, 'Anchored');
    t.equal(hash('sha256', rows[0].data, 'hex'), data.event.dataHash);
    t.equal(hash('sha256', rows[0].meta, 'hex'), data.event.metaHash);

    const { event: _, ...published } = data;
    const { logKeys } = published;
    const open = { success: true, data: { ...published, logKeys: [logKeys[0]] } };
    const byProof = await service.call('GET', `/log/proofs/${asked}`);
    t.match([byProof.status, byProof.body], [200, open], 'anybody may know the leaf');
    t.notMatch(byProof.text, asked, 'and learns no id from it');
    const byIndex = await service.call('GET', `/log/leaves/${data.leafIndex}`);
    t.strictSame(byIndex.body, byProof.body);
  }
});

test('a proof that is not anchored, unknown or of another organisation has no inclusion', async (t) => {
  const { service, key, workspace, anchoring } = await startDocumentService(t, {
    unanchored: true,
  });
  const json = { hash: randomDigest(), workspace };
  const pending = service.call('POST', '/proofs', { key, json });
  const proofId = await anchoring.requested(1);
  const inclusion = (id: string, by = key) =>
    service.call('GET', `/proofs/${id}/inclusion`, { key: by });
  t.match(await inclusion(proofId), { status: 409, body: { code: 'PROOF_NOT_ANCHORED' } });
  const leafOf = (id: string) => service.call('GET', `/log/proofs/${id}`);
  const bodyOf = async (id: string) => ({ ...(await leafOf(id)).body, requestId: null });
  t.match(await leafOf(proofId), { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
  t.strictSame(await bodyOf(proofId), await bodyOf(ulid()), 'strangers do not learn of it');
  t.match(await leafOf('x'), { status: 400, body: { code: 'INVALID_PROOF_ID' } });
  await anchoring.anchor(proofId);
  await pending;
  t.match(await leafOf(proofId), { status: 409, body: { code: 'CHECKPOINT_PENDING' } });
  await service.publish();
  t.equal((await leafOf(proofId)).status, 200);
  t.equal((await inclusion(proofId)).status, 200);
  t.match(await inclusion('x'), { status: 400, body: { code: 'INVALID_PROOF_ID' } });
  t.match(await inclusion(ulid()), { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
  const other = await service.openOrganisation();
  t.match(await inclusion(proofId, other.key), { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
  const scopes = ['documents:read', 'documents:write'];
  const lesser = await service.issueKey(other.organisationId, { scopes });
  t.match(await inclusion(proofId, lesser), { status: 403, body: { code: 'SCOPE_NOT_PERMITTED' } });
});
