import { test } from 'tap';
import { type Answer, type Caller, hashOf } from '../support/api-client.ts';
import { type Attempt, checkSettled, plain } from '../support/interrupted-posts.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { countEvents, newDataDir, startProgram, stop } from '../support/program.ts';
import { runCount } from '../support/run-count.ts';
import { until } from '../support/until.ts';

/** Hashes of the batch that each kill interrupts: more than are requested together. */
const hashesOf = runCount(260, 1_000);

test('batches that kills interrupt and that are sent again prove each hash once', async (t) => {
  const dataDir = await newDataDir(t);
  const limits = { ADDRESS_REQUESTS_PER_MINUTE: '1000000', ITEMS_PER_DAY: '1000000' };
  const env = { DATA_DIR: dataDir, STANDALONE_CLOSE_MS: '500', ...limits };
  let program = await startProgram(t, env);
  const organisation = await openOrganisation(env);
  const caller = (): Caller => ({ address: program.address, ...organisation });
  const attempts: Attempt[] = [];
  for (const moment of ['ProofRequested', 'AnchorPrepared', 'Anchored']) {
    const hashes = Array.from({ length: hashesOf }, (_, at) => hashOf(`${moment} ${at}`));
    const before = await countEvents(dataDir, moment);
    const interrupted = postBatch(caller(), hashes).catch(() => null);
    await until(`more ${moment}`, async () => (await countEvents(dataDir, moment)) > before);
    program.kill('SIGKILL');
    t.equal(await interrupted, null, `killed at ${moment}: no answer`);
    await program.ended;
    program = await startProgram(t, env);
    const results = (await postBatch(caller(), hashes)) ?? [];
    t.equal(results.length, hashes.length);
    for (const [at, answer] of results.entries()) attempts.push({ hash: hashes[at] ?? '', answer });
    const failed = results.filter(({ status }) => status !== 200 && status !== 201);
    t.strictSame(failed, [], `sent again after ${moment}: each hash is proven`);
  }
  const requested = await countEvents(dataDir, 'HashClaimed');
  const released = await countEvents(dataDir, 'HashReleased');
  t.equal(requested - released, attempts.length, 'each hash has one proof');
  await checkSettled(t, caller(), dataDir, attempts);
  t.match(await stop(program), { code: 0 });
});

async function postBatch(
  { address, key, workspace }: Caller,
  hashes: readonly string[],
): Promise<readonly Answer[] | null> {
  const items = hashes.map((hash) => ({ hash, ...plain }));
  const response = await fetch(`${address}/api/v1/proofs/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ workspace, items }),
  });
  const { data } = (await response.json()) as { readonly data: readonly Answer[] };
  return data;
}
