import { createHash } from 'node:crypto';
import { blocksOf, reportingBlocks } from '../harness/blocks.ts';
import { callApi, inParallel, keepAliveAgent, postAll } from '../harness/calls.ts';
import { type CleanUp, createBenchFolder } from '../harness/clean-up.ts';
import { round } from '../harness/figures.ts';
import { createLatencies } from '../harness/latencies.ts';
import { startService } from '../harness/programs.ts';
import { type Account, openTenant } from '../harness/tenant.ts';

const asking = 16;

/**
 * `GET /certificates` of the program as `npm start` runs it: each proof's certificate for the first
 * time, without warm-up, and then once more from the storage. The reported blocks are those of the
 * API's event loop.
 */
export async function measureServed(
  proofs: number,
  nameOf: (index: number) => string,
  cleanUp: CleanUp,
) {
  const dataDir = await createBenchFolder(cleanUp);
  const service = await startService(dataDir, reportingBlocks(dataDir), cleanUp);
  const account = await openTenant(service);
  const proofIds = await postAll(account, proofs, nameOf);
  await blocksOf(service);
  const phase = async () => {
    const { latencyMs, perSecond, answers } = await fetchAll(account, proofIds);
    const { processorMs, delayMs } = await blocksOf(service);
    const longest = { longestBlockMs: round(processorMs, 1), longestDelayMs: round(delayMs, 1) };
    return { figures: { perSecond, ...longest, latencyMs }, answers };
  };
  const first = await phase();
  const again = await phase();
  return {
    asking,
    certificates: proofIds.length,
    first: first.figures,
    again: again.figures,
    sameBytes: first.answers.every((digest, index) => digest === again.answers[index]),
  };
}

async function fetchAll(account: Account, proofIds: readonly string[]) {
  const agent = keepAliveAgent(asking);
  const latencies = createLatencies();
  const startedAt = performance.now();
  const answers = await inParallel(proofIds.length, asking, async (index) => {
    const askedAt = performance.now();
    const path = `/certificates/${proofIds[index]}`;
    const { status, text } = await callApi(agent, account, path);
    if (status !== 200) throw new Error(`GET /certificates: ${status} ${text}`);
    latencies.record(performance.now() - askedAt);
    return createHash('sha256').update(text).digest('hex');
  });
  agent.destroy();
  const { count, ...latencyMs } = latencies.summary();
  const perSecond = round((1_000 * count) / (performance.now() - startedAt), 1);
  return { latencyMs, perSecond, answers };
}
