import { test } from 'tap';
import { type Answer, type Caller, hashOf } from '../support/api-client.ts';
import { type Attempt, checkSettled, plain } from '../support/interrupted-posts.ts';
import { openOrganisation } from '../support/open-organisation.ts';
import { countEvents, newDataDir, startProgram, stop } from '../support/program.ts';
import { isThorough, runCount } from '../support/run-count.ts';
import { until } from '../support/until.ts';

/** Hashes of the batch that each kill interrupts: more than are requested together. */
const hashesOf = runCount(260, 520);

/** Events at whose first appearance the program is killed; `kill.test.ts` kills at each of them too. */
const moments = isThorough
  ? ['ProofRequested', 'AnchorPrepared', 'Anchored']
  : ['ProofRequested', 'Anchored'];

test('batches that kills interrupt and that are sent again prove each hash once', async (t) => {
  const dataDir = await newDataDir(t);
  const limits = { ADDRESS_REQUESTS_PER_MINUTE: '1000000', ITEMS_PER_DAY: '1000000' };
  const env = { DATA_DIR: dataDir, STANDALONE_CLOSE_MS: '1000', ...limits };
  let program = await startProgram(t, env);
  const organisation = await openOrganisation(env);
  const caller = (): Caller => ({ address: program.address, ...organisation });
  const attempts: Attempt[] = [];
  for (const moment of moments) {
    const hashes = Array.from({ length: hashesOf }, (_, at) => hashOf(`${moment} ${at}`));
    const before = await countEvents(dataDir, moment);
    const interrupted = postBatch(caller(), hashes).catch(() => null);
    await until(`more ${moment}`, async () => (await countEvents(dataDir, moment)) > before);
    program.kill('SIGKILL');
    const early = await interrupted;
    if (moment !== 'Anchored') t.equal(early, null, `killed at ${moment}: no answer`);
    await program.ended;
    program = await startProgram(t, env);
    const answers = await proveAll(caller(), hashes);
    for (const [at, hash] of hashes.entries()) {
      // The last Anchored may be answered before the kill: that answer holds afterwards too.
      attempts.push({ hash, answer: early?.[at] ?? answers.get(hash) ?? null });
    }
    const statuses = new Set([...answers.values()].map(({ status }) => status));
    t.strictSame(statuses.difference(new Set([200, 201])), new Set(), `again after ${moment}`);
    t.equal(answers.size, hashes.length);
  }
  const claimed = await countEvents(dataDir, 'HashClaimed');
  const released = await countEvents(dataDir, 'HashReleased');
  t.equal(claimed - released, attempts.length, 'each hash has one proof');
  await checkSettled(t, caller(), dataDir, attempts);
  t.match(await stop(program), { code: 0 });
});

/** Sends a batch, and again the items that were rolled back: the kill lost their transactions. */
async function proveAll(
  caller: Caller,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>();
  let left = hashes;
  for (let round = 1; left.length > 0 && round <= 10; round += 1) {
    const results = (await postBatch(caller, left)) ?? [];
    for (const [at, answer] of results.entries()) answers.set(left[at] ?? '', answer);
    left = left.filter((hash) => answers.get(hash)?.body.code === 'XRPL_ERROR');
  }
  return answers;
}

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
