import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectionTo } from '../../../src/event-store/connection-to.ts';
import { DatabaseClient } from '../../../src/event-store/database-client.ts';
import { benchmark, count } from '../harness/benchmark.ts';
import { type CleanUp, createBenchFolder } from '../harness/clean-up.ts';
import { round } from '../harness/figures.ts';
import { startHelper } from '../harness/helper-process.ts';
import { startService } from '../harness/programs.ts';
import { progress } from '../harness/progress.ts';
import { openTenant } from '../harness/tenant.ts';
import type { ProverOrders } from './prover-process.ts';

const targetSeconds = 120;

/**
 * The TypeScript client's `proveAll` over a folder, against the program as `npm start` runs it, on its
 * ledger with one ledger a second, by keys with the default limits. A second folder is proven by a
 * client that is killed in the middle, and by another one that goes on.
 */
export const folder = benchmark({
  name: 'folder',
  description: 'a folder proven by the TypeScript client, also one that is killed in the middle',
  options: { files: count('number of files', 10_000) },
  async measure({ files }, cleanUp) {
    const dataDir = await createBenchFolder(cleanUp);
    const service = await startService(dataDir, { STANDALONE_CLOSE_MS: '1000' }, cleanUp);
    const inRange = { hasDefaultLimits: true };
    const whole = await openTenant(service, inRange);
    const interrupted = await openTenant(service, inRange);
    const first = startProver(cleanUp);
    const placeOf = (name: string) => ({
      folder: join(dataDir, '..', name),
      journal: join(dataDir, '..', `${name}.jsonl`),
    });
    progress(`Writing two folders of ${files} files`);
    for (const name of ['whole', 'interrupted']) {
      await first.ask('fill', { folder: placeOf(name).folder, files });
    }

    progress('Proving a folder');
    const order = { account: whole, ...placeOf('whole') };
    const proven = await Promise.race([first.ask('prove', order), service.died]);
    const verified = await first.ask('verify', { address: service.address });

    progress('Proving the other, and killing the client in the middle');
    const rest = { account: interrupted, ...placeOf('interrupted') };
    const killed = startProver(cleanUp);
    const beganAt = performance.now();
    const cut = killed.ask('prove', rest).then(
      () => false,
      () => true,
    );
    const recorded = await killInTheMiddle(killed.pid, rest.journal, files);
    const wasCut = await cut;
    const killedAfterMs = performance.now() - beganAt;
    const second = startProver(cleanUp);
    const resumed = await Promise.race([second.ask('prove', rest), service.died]);
    const verifiedAfterKill = await second.ask('verify', { address: service.address });
    const requested = await proofsRequested(service.postgres.url);

    const seconds = proven.ms / 1_000;
    return {
      postgres: service.postgres,
      setting: {
        files,
        server:
          'src/main.ts with embedded PostgreSQL, durable, and its ledger, one ledger a second',
        client: 'proveAll in a process of its own, with a journal; a key with the default limits',
      },
      targetSeconds,
      met:
        seconds <= targetSeconds &&
        verified.verified === files &&
        wasCut &&
        verifiedAfterKill.verified === files &&
        requested === 2 * files,
      seconds: round(seconds, 2),
      perSecond: round(files / seconds, 1),
      proven,
      verified,
      killed: { recorded, wasCut, afterSeconds: round(killedAfterMs / 1_000, 2) },
      resumed,
      verifiedAfterKill,
      /** Twice the number of files, unless a proof was doubled. */
      requested,
    };
  },
});

function startProver(cleanUp: CleanUp) {
  const file = new URL('./prover-process.ts', import.meta.url);
  return startHelper<ProverOrders>(file, cleanUp);
}

/**
 * Kills the client when half of the proofs are recorded and the next batch is on its way. Resolves with
 * the number of recorded proofs.
 */
async function killInTheMiddle(pid: number, journal: string, files: number): Promise<number> {
  for (;;) {
    await delay(20);
    const text = await readFile(journal, 'utf8').catch(() => '');
    const recorded = text.match(/^\{"proven"/gm)?.length ?? 0;
    const isSent = text.lastIndexOf('{"sent"') > text.lastIndexOf('{"proven"');
    if (recorded < files / 2 || !isSent) continue;
    process.kill(pid, 'SIGKILL');
    return recorded;
  }
}

async function proofsRequested(url: string): Promise<number> {
  const client = new DatabaseClient(connectionTo(url));
  await client.connect();
  try {
    const text = "SELECT count(*)::int AS count FROM events WHERE type = 'ProofRequested'";
    return (await client.query<{ count: number }>(text)).rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
