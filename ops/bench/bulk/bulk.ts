import { benchmark, count } from '../harness/benchmark.ts';
import { createBenchFolder } from '../harness/clean-up.ts';
import { round } from '../harness/figures.ts';
import { startHelper } from '../harness/helper-process.ts';
import { startService } from '../harness/programs.ts';
import { progress } from '../harness/progress.ts';
import { openTenant } from '../harness/tenant.ts';
import type { FolderOrders } from './folder-process.ts';

const targetSeconds = 120;
const itemsInBatch = 1_000;

/**
 * POST /proofs/batch of the program as `npm start` runs it, on its ledger with one ledger a second.
 * A key with the default limits proves a folder, one batch after the other, each until it is
 * anchored. Then it looks all hashes up, and every proof is verified.
 */
export const bulk = benchmark({
  name: 'bulk',
  description: 'hashes proven in batches by a key with the default limits',
  options: { hashes: count('number of hashes', 10_000) },
  async measure({ hashes }, cleanUp) {
    const dataDir = await createBenchFolder(cleanUp);
    const service = await startService(dataDir, { STANDALONE_CLOSE_MS: '1000' }, cleanUp);
    const account = await openTenant(service, { hasDefaultLimits: true });
    const file = new URL('./folder-process.ts', import.meta.url);
    const { ask } = startHelper<FolderOrders>(file, cleanUp);
    const order = { account, hashes, itemsInBatch };

    progress(`Proving ${hashes} hashes`);
    const proven = await Promise.race([ask('prove', order), service.died]);
    progress('Looking all of them up');
    const lookedUp = await Promise.race([ask('lookUp', order), service.died]);
    progress('Verifying every proof');
    const { address } = service;
    const verified = await ask('verify', { address, most: hashes });
    const seconds = proven.ms / 1_000;
    return {
      postgres: service.postgres,
      setting: {
        ...{ hashes, itemsInBatch },
        server:
          'src/main.ts with embedded PostgreSQL, durable, and its ledger, one ledger a second',
        client: 'a process of its own, one batch after the other, a key with the default limits',
      },
      targetSeconds,
      met:
        seconds <= targetSeconds &&
        proven.statuses[201] === hashes &&
        lookedUp.proven === hashes &&
        verified.verified === hashes,
      seconds: round(seconds, 2),
      perSecond: round(hashes / seconds, 1),
      batches: proven,
      lookUps: lookedUp,
      verified,
    };
  },
});
