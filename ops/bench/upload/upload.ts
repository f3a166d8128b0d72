import { execFile } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import { open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { benchmark, count } from '../harness/benchmark.ts';
import { createBenchFolder } from '../harness/clean-up.ts';
import { median, round, timed } from '../harness/figures.ts';
import { startHelper } from '../harness/helper-process.ts';
import { describeDisk } from '../harness/machine.ts';
import { watchResidentMemory } from '../harness/memory.ts';
import { startService } from '../harness/programs.ts';
import { progress } from '../harness/progress.ts';
import { type Account, openTenant } from '../harness/tenant.ts';
import type { UploadingOrders, UploadSummary } from './uploading-process.ts';

const target = { residentMib: 300, singleToReference: 0.5 } as const;
const bytesPerMib = 1_048_576;

/**
 * POST /documents of the program as `npm start` runs it, with database and ledger. Measures many
 * uploads at once with the service's resident memory. Then measures single uploads, alternating
 * with `sha256sum` and `cp` of the same file on the same disk. Reads every file back afterwards.
 */
export const upload = benchmark({
  name: 'upload',
  description: 'files uploaded through POST /documents: many at once, then one after the other',
  options: {
    uploads: count('uploads at once', 100),
    mib: count('size of each in MiB', 20),
    rounds: count('rounds of uploads at once', 3),
    singleMib: count('size of each single upload in MiB', 100),
  },
  async measure({ uploads, mib, rounds, singleMib }, cleanUp) {
    const dataDir = await createBenchFolder(cleanUp);
    const service = await startService(dataDir, {}, cleanUp);
    const account = await openTenant(service);
    const uploading = startHelper<UploadingOrders>(
      new URL('./uploading-process.ts', import.meta.url),
      cleanUp,
    );
    const folder = dirname(dataDir);
    const disk = await describeDisk(folder);
    let first = 0;
    const upload = (path: string, count: number, async: boolean): Promise<UploadSummary> => {
      first += count;
      const order = { account, path, count, first: first - count, async };
      return Promise.race([uploading.ask('upload', order), service.died]);
    };

    progress('Warming up');
    const small = await randomFile(join(folder, 'small'), mib * bytesPerMib);
    await upload(small, 4, false);
    const many = [];
    for (let round = 1; round <= rounds; round += 1) {
      progress(`Round ${round} of ${rounds}: ${uploads} uploads of ${mib} MiB at once`);
      const stopMemory = watchResidentMemory(service.pid);
      const { documentIds, ...summary } = await upload(small, uploads, false);
      const residentMib = stopMemory();
      many.push({ documentIds, result: { ...rateOf(summary, uploads * mib), residentMib } });
    }

    const large = await randomFile(join(folder, 'large'), singleMib * bytesPerMib);
    const single = [];
    for (let round = 1; round <= rounds * 3; round += 1) {
      progress(`Round ${round} of ${rounds * 3}: one upload of ${singleMib} MiB`);
      const reference = await hashAndCopy(large);
      const { ms, failures } = await upload(large, 1, true);
      if (failures.length > 0) throw new Error(`an upload failed: ${failures}`);
      single.push({ ms, reference });
    }

    progress('Reading every file back');
    const documentIds = many.flatMap((round) => round.documentIds);
    const readBack = await readAllBack(account, documentIds, small);
    const results = {
      concurrent: many.map(({ result }) => result),
      single: compareSingle(single, singleMib),
    };
    const complete = documentIds.length === uploads * rounds && readBack === documentIds.length;
    return {
      postgres: service.postgres,
      disk,
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
  },
});

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

/** Milliseconds that the system's tools need to hash a file, and to copy it on its disk. */
interface HashAndCopy {
  readonly sha256sumMs: number;
  readonly copyMs: number;
}

/** Removes the copy afterwards. Does not sync it: the reference is a plain `cp`. */
async function hashAndCopy(path: string): Promise<HashAndCopy> {
  const sha256sumMs = await timed(() => promisify(execFile)('sha256sum', [path]));
  const copy = `${path}.copy`;
  const copyMs = await timed(() => promisify(execFile)('cp', [path, copy]));
  await rm(copy);
  return { sha256sumMs, copyMs };
}

/** Compares medians, since other programs on the machine slow down single rounds. */
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

async function randomFile(path: string, bytes: number): Promise<string> {
  const file = await open(path, 'w');
  const block = Buffer.alloc(bytesPerMib);
  for (let written = 0; written < bytes; written += block.length) {
    await file.write(randomFillSync(block));
  }
  await file.close();
  return path;
}

/**
 * Returns the number of documents equal to the sent file, without the first four bytes, which
 * number the upload.
 */
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
