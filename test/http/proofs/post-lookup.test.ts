import { test } from 'tap';
import { startHttpService } from '../../support/http-service.ts';
import { createScriptedAnchoring, randomDigest } from '../../support/scripted-anchoring.ts';

test('a look-up tells of each hash if it is proven, in order', async (t) => {
  const service = await startHttpService(t);
  const anchoring = await createScriptedAnchoring(service.store);
  const { key, workspaceId: workspace } = await service.openOrganisation();
  const [proven, pending, signed, unknown, gone] = Array.from({ length: 5 }, randomDigest);
  const headers = { prefer: 'respond-async' };
  const queue = async (hash = '') => {
    const json = { hash, workspace };
    return (await service.call('POST', '/proofs', { key, json, headers })).body.data.proofId;
  };
  const ids = [await queue(proven), await queue(pending), await queue(signed)];
  const { transactionHash } = await anchoring.anchor(ids[0]);
  const { transactionHash: outstanding } = await anchoring.prepare(ids[2]);
  const leaving = service.call('POST', '/proofs', { key, json: { hash: gone, workspace } });
  await anchoring.expire(await anchoring.requested(4));
  t.equal((await leaving).status, 502);

  const lookUp = (hashes: unknown, as = key, where = workspace as string) =>
    service.call('POST', '/proofs/lookup', { key: as, json: { workspace: where, hashes } });
  const nothing = {
    ...{ proven: false, proofId: null, blockchainStatus: null },
    ...{ txHash: null, timestamp: null },
  };
  const { status, body } = await lookUp([unknown, signed, proven, gone, pending, proven]);
  t.equal(status, 200);
  const known = {
    ...{ hash: proven, proven: true, proofId: ids[0], blockchainStatus: 'completed' },
    ...{ txHash: transactionHash, timestamp: '2025-11-21T00:26:40.000Z' },
  };
  t.strictSame(body, {
    success: true,
    data: [
      { hash: unknown, ...nothing },
      {
        ...{ hash: signed, ...nothing, proofId: ids[2] },
        ...{ blockchainStatus: 'processing', txHash: outstanding },
      },
      known,
      { hash: gone, ...nothing },
      { hash: pending, ...nothing, proofId: ids[1], blockchainStatus: 'pending' },
      known,
    ],
  });

  const stranger = await service.openOrganisation();
  const theirs = await lookUp([proven], stranger.key, stranger.workspaceId);
  t.strictSame(theirs.body.data, [{ hash: proven, ...nothing }]);
  t.match(await lookUp([proven], stranger.key), {
    status: 400,
    body: { code: 'INVALID_WORKSPACE' },
  });
  const message = 'hashes: must have 1 to 1000 hashes';
  for (const hashes of [[], Array.from({ length: 1_001 }, () => proven)])
    t.match(await lookUp(hashes), { status: 400, body: { code: 'INVALID_REQUEST', message } });
  for (const hashes of [null, {}, [null], [7], ['x'], [[proven]], [proven?.toUpperCase()]])
    t.match(await lookUp(hashes), { status: 400, body: { code: 'INVALID_REQUEST' } });
});

test('a look-up of 1,000 hashes counts as one request and as no items', async (t) => {
  const service = await startHttpService(t, {
    services: { limits: { itemsPerDay: 1 } },
    threads: true,
  });
  const anchoring = await createScriptedAnchoring(service.store);
  const { organisationId, workspaceId: workspace } = await service.openOrganisation();
  const key = await service.issueKey(organisationId, { requestsPerMinute: 2 });
  anchoring.follow(t);
  const [hash] = [randomDigest()];
  await service.call('POST', '/proofs', { key, json: { hash, workspace } });
  const hashes = [...Array.from({ length: 999 }, randomDigest), hash];
  const answer = await service.call('POST', '/proofs/lookup', { key, json: { workspace, hashes } });
  t.equal(answer.status, 200);
  t.match(answer.headers.get('ratelimit'), /^"minute";r=0;/);
  t.notMatch(answer.headers.get('ratelimit'), /items/);
  const proven = answer.body.data.filter((one: { proven: boolean }) => one.proven);
  t.strictSame([answer.body.data.length, proven.length], [1_000, 1]);
  t.equal(answer.body.data.at(-1).proven, true);
});
