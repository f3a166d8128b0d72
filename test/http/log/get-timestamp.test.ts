import { test } from 'tap';
import { ulid } from 'ulid';
import type { CheckpointTimestamped } from '../../../src/domain/log/timestamp-events.ts';
import { streams } from '../../../src/domain/streams.ts';
import { askAuthority } from '../../../src/timestamps/ask-authority.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { markedEntry } from '../../support/marked-event.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';
import { sigstoreFindsRoot } from '../../support/sigstore-verifier.ts';
import { createTimestampAuthority, serveTimestamps } from '../../support/timestamp-authority.ts';
import { until } from '../../support/until.ts';

test('a token of the earliest covering checkpoint proves the time of an anchoring to anyone', async (t) => {
  const { service, key, workspace } = await startDocumentService(t);
  const authority = await createTimestampAuthority(t);
  const { url } = await serveTimestamps(t, (query) => authority.answer(query));
  const prove = async (): Promise<string> => {
    const json = { hash: randomDigest(), workspace };
    return (await service.call('POST', '/proofs', { key, json })).body.data.proofId;
  };
  const timestampOf = (proofId: string, by = key) =>
    service.call('GET', `/proofs/${proofId}/timestamp`, { key: by });
  /** Publishes a checkpoint, and records a token for it. */
  const stamp = async (): Promise<string> => {
    await service.publish();
    const note = (await service.call('GET', '/log/checkpoint')).text;
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const [origin = '', size, root = ''] = text.split('\n');
    const rootHash = Buffer.from(root, 'base64').toString('hex');
    const stopped = new AbortController().signal;
    const found = await askAuthority({ url, roots: [authority.root] }, Buffer.from(text), stopped);
    const token = found.token.toString('base64');
    const memo = { origin, size: Number(size), rootHash };
    const event: CheckpointTimestamped = {
      type: 'CheckpointTimestamped',
      data: { ...memo, authority: found.authority, time: found.time, token },
    };
    const stream = streams.timestamp(origin, rootHash);
    const entry = { organisationId: null, stream, expectedVersion: 0, events: [event] };
    await service.store.append([entry], {});
    return text;
  };

  const first = await prove();
  t.match(await timestampOf(first), { status: 409, body: { code: 'TIMESTAMP_PENDING' } });
  const firstText = await stamp();
  const later = await prove();
  // The tree grows beyond the tiles of the stamped checkpoint.
  const many = Array.from({ length: 700 }, String);
  await service.store.append([markedEntry('many', 0, ...many)], {});
  await until('the first token', async () => (await timestampOf(first)).status === 200);
  t.match(await timestampOf(later), { status: 409, body: { code: 'TIMESTAMP_PENDING' } });
  const laterText = await stamp();
  await until('the second token', async () => (await timestampOf(later)).status === 200);

  for (const [proofId, text] of [
    [first, firstText],
    [later, laterText],
  ] as const) {
    const { data } = (await timestampOf(proofId)).body;
    t.equal(data.checkpointText, text);
    t.ok(await authority.accepts(Buffer.from(data.token, 'base64'), Buffer.from(text)));
    t.match(data, { authority: 'O=Proofmark tests, CN=authority', event: { type: 'Anchored' } });
    t.equal(data.event.stream, `proof-${proofId}`);
    const [, size, root = ''] = text.split('\n');
    const tree = { size: Number(size), root: Buffer.from(root, 'base64') };
    const record = Buffer.from(
      JSON.stringify(Object.fromEntries(Object.entries(data.event).sort())),
    );
    const proof = data.hashes.map((hex: string) => Buffer.from(hex, 'hex'));
    t.ok(sigstoreFindsRoot({ record, index: data.leafIndex, proof }, tree));
    t.notOk(sigstoreFindsRoot({ record, index: data.leafIndex + 1, proof }, tree));
  }

  t.match(await timestampOf('x'), { status: 400, body: { code: 'INVALID_PROOF_ID' } });
  t.match(await timestampOf(ulid()), { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
  const other = await service.openOrganisation();
  t.match(await timestampOf(first, other.key), { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
});
