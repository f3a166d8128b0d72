import { test } from 'tap';
import { findEmbeddedPostgres } from '../../src/embedded/postgres/find-embedded-postgres.ts';
import { dataOf, getProof, hashOf, postProof, verify } from '../support/api-client.ts';
import { type Attempt, attemptAll, checkSettled } from '../support/interrupted-posts.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { countEvents, firstKey, newDataDir, startProgram, stop } from '../support/program.ts';
import { runCount } from '../support/run-count.ts';
import { until } from '../support/until.ts';

/** Posts that each kill interrupts. */
const posts = runCount(15, 30);

test('a program killed four times has all its data, and anchors each hash once', async (t) => {
  const dataDir = await newDataDir(t);
  const env = { DATA_DIR: dataDir, STANDALONE_CLOSE_MS: '500' };
  const killed = await startProgram(t, env);
  const organisation = await openOrganisation(env);
  const caller = { address: killed.address, ...(await firstKey(killed)) };
  const hashes = [1, 2, 3].map((each) => hashOf(`kept ${each}`));
  const before = await Promise.all(hashes.map((hash) => postProof(caller, hash)));
  const completed = await countEvents(dataDir, 'Anchored');
  const last = hashOf('killed between Anchored and the answer');
  const unanswered = postProof(caller, last).catch(() => null);
  await until('Anchored', async () => (await countEvents(dataDir, 'Anchored')) > completed);
  killed.kill('SIGKILL');
  t.match(await killed.ended, { signal: 'SIGKILL' });
  t.ok(await findEmbeddedPostgres({ dataDir }), 'PostgreSQL survives the kill');

  let program = await startProgram(t, env);
  const { address } = program;
  for (const [place, answer] of before.entries()) {
    t.equal(answer.status, 201);
    const proof = dataOf(answer);
    const { evidence, ...kept } = dataOf(await getProof({ ...caller, address }, proof.proofId));
    t.match(evidence, /^(pending|attested)$/);
    t.strictSame(kept, {
      ...proof,
      verifyUrl: `${address}/verify/${proof.txHash}`,
      verifyPageUrl: `${address}/verify/${proof.txHash}`,
      blockchainStatus: 'completed',
      fileName: null,
      fileHash: hashes[place],
      ...{ fileSize: null, mimeType: null, description: null, metadata: {} },
    });
    t.match(await verify(address, proof.txHash), {
      status: 200,
      body: { data: { verified: true } },
    });
  }
  t.match(await postProof({ ...caller, address }, hashOf('new')), { status: 201 });
  const lost = (await unanswered)?.body.data?.proofNonce ?? null;
  const found = dataOf(await postProof({ ...caller, address }, last)).proofNonce;
  t.match(lost ?? found, /^[a-f0-9]{64}$/, 'the nonce reaches its owner');
  t.equal(dataOf(await postProof({ ...caller, address }, last)).proofNonce, null);
  t.equal(program.printed().stderr, '');

  const known = hashes.length + 2;
  const attempts: Attempt[] = [];
  for (const moment of ['ProofRequested', 'AnchorPrepared', 'Anchored']) {
    const hashes = Array.from({ length: posts }, (_, index) => hashOf(`${moment} ${index}`));
    const before = await countEvents(dataDir, moment);
    const answers = attemptAll({ address: program.address, ...organisation }, hashes);
    await until(`more ${moment}`, async () => (await countEvents(dataDir, moment)) > before);
    program.kill('SIGKILL');
    attempts.push(...(await answers));
    await program.ended;
    program = await startProgram(t, env);
  }
  t.ok(
    attempts.some(({ answer }) => answer === null),
    'some posts got no answer',
  );
  await checkSettled(t, { address: program.address, ...organisation }, dataDir, attempts, known);
  t.match(await stop(program), { code: 0 });
});
