import { createHash, randomFillSync } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createBenchFolder } from './bench-folder.ts';
import { type CleanUp, withCleanUp } from './clean-up.ts';
import { describeDisk } from './disk.ts';
import { type HashAndCopy, hashAndCopy } from './hash-and-copy.ts';
import { startHelper } from './helper-process.ts';
import { describeMachine, loadAverage, round } from './machine.ts';
import { openAccount } from './open-account.ts';
import { postgresVersion } from './postgres-version.ts';
import { progress } from './progress.ts';
import type { Account } from './proof-caller.ts';
import { watchResidentMemory } from './resident-memory.ts';
import { startService } from './service-process.ts';
import type { UploadingOrders, UploadSummary } from './uploading-process.ts';

export interface UploadOptions {
  /** Uploads at once. */
  readonly uploads: number;
  /** Of each of them. */
  readonly mib: number;
  /** Of how often that is done. */
  readonly rounds: number;
  /** Of the single stream. */
  readonly singleMib: number;
}

const target = { residentMib: 300, singleToReference: 0.5 } as const;
const bytesPerMib = 1_048_576;

/**
 * POST /documents of the program as `npm start` runs it, database and ledger included: many uploads
 * at once, with what the service has in RAM meanwhile; and one after the other, in turns with
 * `sha256sum` and `cp` of the same file on the same disk. Every file is read back afterwards.
 */
export function benchUpload(options: UploadOptions): Promise<object> {
  return withCleanUp((cleanUp) => measure(options, cleanUp));
}

async function measure({ uploads, mib, rounds, singleMib }: UploadOptions, cleanUp: CleanUp) {
  const load = { start: loadAverage() };
  const { dataDir, remove } = await createBenchFolder();
  cleanUp.defer(remove);
  const service = await startService(dataDir, {});
  cleanUp.defer(() => service.stop());
  const account = await openAccount(service);
  const uploading = startHelper<UploadingOrders>('uploading-process.ts');
  cleanUp.defer(() => uploading.stop());
  const folder = dirname(dataDir);
  const disk = await describeDisk(folder);
  let first = 0;
  const upload = (path: string, count: number, async: boolean): Promise<UploadSummary> => {
    first += count;
    const order = { account, path, count, first: first - count, async };
    return Promise.race([uploading.ask('upload', order), service.died]);
  };

  progress('warming up');
  const small = await randomFile(join(folder, 'small'), mib * bytesPerMib);
  await upload(small, 4, false);
  const many = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`${uploads} uploads of ${mib} MiB at once, ${round} of ${rounds}`);
    const stopMemory = watchResidentMemory(service.pid);
    const { documentIds, ...summary } = await upload(small, uploads, false);
    const residentMib = stopMemory();
    many.push({ documentIds, result: { ...rateOf(summary, uploads * mib), residentMib } });
  }

  const large = await randomFile(join(folder, 'large'), singleMib * bytesPerMib);
  const single = [];
  for (let round = 1; round <= rounds * 3; round += 1) {
    progress(`one upload of ${singleMib} MiB, ${round} of ${rounds * 3}`);
    const reference = await hashAndCopy(large);
    const { ms, failures } = await upload(large, 1, true);
    if (failures.length > 0) throw new Error(`an upload failed: ${failures}`);
    single.push({ ms, reference });
  }

  progress('reading every file back');
  const documentIds = many.flatMap((round) => round.documentIds);
  const readBack = await readAllBack(account, documentIds, small);
  const results = {
    concurrent: many.map(({ result }) => result),
    single: compareSingle(single, singleMib),
  };
  const complete = documentIds.length === uploads * rounds && readBack === documentIds.length;
  return {
    benchmark: 'upload',
    machine: await describeMachine(await postgresVersion(dataDir)),
    disk,
    loadAverage: { ...load, end: loadAverage() },
    setting: {
      uploads,
      mib,
      rounds,
      singleMib,
      server: 'src/main.ts with embedded PostgreSQL, durable, and its ledger',
      client: 'a process of its own, a connection for each upload',
    },
    results,
    verification: { documents: documentIds.length, readBack },
    target,
    met:
      complete &&
      results.concurrent.every(({ residentMib }) => residentMib.max < target.residentMib) &&
      results.single.ratio >= target.singleToReference,
  };
}

function rateOf(
  { ms, statuses, latencyMs, failures }: Omit<UploadSummary, 'documentIds'>,
  mib: number,
) {
  return {
    seconds: round(ms / 1_000, 2),
    mibPerSecond: round((mib * 1_000) / ms, 1),
    statuses,
    failures,
    latencyMs,
  };
}

/** By the medians, since whatever else runs on the machine hits single ones. */
function compareSingle(
  rounds: readonly { readonly ms: number; readonly reference: HashAndCopy }[],
  mib: number,
) {
  const uploadMs = median(rounds.map(({ ms }) => ms));
  const sha256sumMs = median(rounds.map(({ reference }) => reference.sha256sumMs));
  const copyMs = median(rounds.map(({ reference }) => reference.copyMs));
  const rate = (ms: number) => round((mib * 1_000) / ms, 1);
  return {
    uploadMibPerSecond: rate(uploadMs),
    referenceMibPerSecond: rate(sha256sumMs + copyMs),
    sha256sumMs: round(sha256sumMs),
    copyMs: round(copyMs),
    uploadMs: round(uploadMs),
    eachUploadMs: rounds.map(({ ms }) => round(ms)),
    ratio: round((sha256sumMs + copyMs) / uploadMs, 2),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function randomFile(path: string, bytes: number): Promise<string> {
  const file = await open(path, 'w');
  const block = Buffer.alloc(bytesPerMib);
  for (let written = 0; written < bytes; written += block.length) {
    await file.write(randomFillSync(block));
  }
  await file.close();
  return path;
}

/** How many are what was sent: all but the first four bytes, which number the upload. */
async function readAllBack(
  { address, key }: Account,
  documentIds: readonly string[],
  path: string,
): Promise<number> {
  const expected = createHash('sha256')
    .update((await readFile(path)).subarray(4))
    .digest('hex');
  let whole = 0;
  for (const documentId of documentIds) {
    const url = `${address}/api/v1/documents/${documentId}/file`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const bytes = await response.bytes();
    if (createHash('sha256').update(bytes.subarray(4)).digest('hex') === expected) whole += 1;
  }
  return whole;
}
