import { hash } from 'node:crypto';
import { test } from 'tap';
import { ulid } from 'ulid';
import { readTimeStampToken } from '../../../src/verifier/log/time-stamp-token.ts';
import { startDocumentService } from '../../support/document-service.ts';
import { markedEntry } from '../../support/marked-event.ts';
import { randomDigest } from '../../support/scripted-anchoring.ts';
import { sigstoreFindsRoot } from '../../support/sigstore-verifier.ts';
import { createStamping } from '../../support/stamp-checkpoint.ts';
import { until } from '../../support/until.ts';

type Listed = { readonly checkpoint: string };

test('a token of the earliest covering checkpoint proves the time of an anchoring to anyone', async (t) => {
  const { service, key, workspace } = await startDocumentService(t);
  const { authority, stamp } = await createStamping(t, service);
  const prove = async (): Promise<string> => {
    const json = { hash: randomDigest(), workspace };
    return (await service.call('POST', '/proofs', { key, json })).body.data.proofId;
  };
  const timestampOf = (proofId: string, by = key) =>
    service.call('GET', `/proofs/${proofId}/timestamp`, { key: by });

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
  await service.beginEpoch(2);
  const afterRestore = await prove();
  t.match(await timestampOf(afterRestore), { status: 409, body: { code: 'TIMESTAMP_PENDING' } });
  const epochText = await stamp();
  t.match(epochText, /\/2\n/);
  await until('the third token', async () => (await timestampOf(afterRestore)).status === 200);

  for (const [proofId, text] of [
    // Tokens of the epoch before the restore are still served.
    [first, firstText],
    [later, laterText],
    [afterRestore, epochText],
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
    const read = readTimeStampToken(Buffer.from(data.token, 'base64'));
    t.strictSame(read, { imprint: hash('sha256', text), time: data.time }, 'as browsers read it');
    const { data: listed } = (await service.call('GET', '/log/checkpoints')).body;
    const found = listed.find((one: Listed) => one.checkpoint.startsWith(`${text}\n`));
    const stated = { time: data.time, authority: data.authority, token: data.token };
    t.strictSame(found.timestamp, stated);
  }
  const bytes = Buffer.from((await timestampOf(first)).body.data.token, 'base64');
  const wholeAt = (end: number) => readTimeStampToken(bytes.subarray(0, end)) !== null;
  const read = Array.from({ length: bytes.length }, (_, end) => end).filter(wholeAt);
  t.strictSame(read, [], 'a token that is cut off is not read');

  t.match(await timestampOf('x'), { status: 400, body: { code: 'INVALID_PROOF_ID' } });
  t.match(await timestampOf(ulid()), { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
  const other = await service.openOrganisation();
  t.match(await timestampOf(first, other.key), { status: 404, body: { code: 'PROOF_NOT_FOUND' } });
});
