import { createHash } from 'node:crypto';
import { createBenchFolder } from './bench-folder.ts';
import { blocksOf, reportingBlocks } from './blocks-of.ts';
import type { CleanUp } from './clean-up.ts';
import { createLatencies } from './latencies.ts';
import { round } from './machine.ts';
import { openAccount } from './open-account.ts';
import { type Account, call, keepAliveAgent } from './proof-caller.ts';
import { startService } from './service-process.ts';

const posting = 200;
const asking = 16;

/**
 * `GET /certificates` of the program as `npm start` runs it: each proof's certificate for the first
 * time, the very first ones included, and then once more from the storage. The blocks are those of the
 * event loop that serves the API.
 */
export async function measureServed(
  proofs: number,
  nameOf: (index: number) => string,
  cleanUp: CleanUp,
) {
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const service = await startService(dataDir, reportingBlocks(dataDir));
  cleanUp.defer(() => service.stop());
  const account = await openAccount(service);
  const proofIds = await postAll(account, proofs, nameOf);
  await blocksOf(service, dataDir);
  const phase = async () => {
    const { latencyMs, perSecond, answers } = await fetchAll(account, proofIds);
    const { processorMs, delayMs } = await blocksOf(service, dataDir);
    const longest = { longestBlockMs: round(processorMs, 1), longestDelayMs: round(delayMs, 1) };
    return { told: { perSecond, ...longest, latencyMs }, answers };
  };
  const first = await phase();
  const again = await phase();
  return {
    asking,
    certificates: proofIds.length,
    first: first.told,
    again: again.told,
    sameBytes: first.answers.every((digest, index) => digest === again.answers[index]),
  };
}

/** Posts proofs with these names, waits until they are anchored, and returns their ids. */
export async function postAll(
  { address, key, workspace }: Account,
  count: number,
  nameOf: (index: number) => string,
): Promise<readonly string[]> {
  const agent = keepAliveAgent(posting);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const proofIds = await inParallel(count, posting, async (index) => {
    const hash = createHash('sha256').update(`${index}`).digest('hex');
    const body = JSON.stringify({ hash, workspace, fileName: nameOf(index), fileSize: index });
    const length = { 'Content-Length': Buffer.byteLength(body) };
    const url = `${address}/api/v1/proofs`;
    const { status, text } = await call(agent, 'POST', url, { ...headers, ...length }, body);
    if (status !== 201) throw new Error(`POST /proofs: ${status} ${text}`);
    return JSON.parse(text).data.proofId as string;
  });
  agent.destroy();
  return proofIds;
}

async function fetchAll({ address, key }: Account, proofIds: readonly string[]) {
  const agent = keepAliveAgent(asking);
  const latencies = createLatencies();
  const startedAt = performance.now();
  const answers = await inParallel(proofIds.length, asking, async (index) => {
    const askedAt = performance.now();
    const url = `${address}/api/v1/certificates/${proofIds[index]}`;
    const { status, text } = await call(agent, 'GET', url, { Authorization: `Bearer ${key}` });
    if (status !== 200) throw new Error(`GET /certificates: ${status} ${text}`);
    latencies.record(performance.now() - askedAt);
    return createHash('sha256').update(text).digest('hex');
  });
  agent.destroy();
  const { count, ...latencyMs } = latencies.summary();
  const perSecond = round((1_000 * count) / (performance.now() - startedAt), 1);
  return { latencyMs, perSecond, answers };
}

async function inParallel<Result>(
  count: number,
  width: number,
  work: (index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
