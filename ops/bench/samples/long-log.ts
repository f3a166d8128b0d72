import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { OrganisationId } from '../../../src/domain/ulid.ts';
import type { CleanUp } from '../harness/clean-up.ts';
import { openStore } from '../harness/open-store.ts';
import { progress } from '../harness/progress.ts';
import { newOrganisation } from './listed-proofs.ts';
import type { LongLogThread } from './long-log-thread.ts';

const organisations = 10;
const sayEveryMs = 5_000;
const smallAtOnce = 500_000;

/** Events with realistic streams, and hashes as leaves. */
const claimed = `
  INSERT INTO events
  SELECT n, o.id, 'hash-' || substr(o.id, 1, 26) || '-' || h.hash, 1,
    '01K' || lpad(n::text, 23, '0'), 'HashClaimed', 1, '2026-11-21T01:06:32.104Z',
    '{"proofId":"01M' || lpad(n::text, 23, '0') || '"}', '{"actor":"api"}', sha256(h.hash::bytea)
  FROM generate_series($1::bigint + 1, $2::bigint) AS n
  CROSS JOIN LATERAL (SELECT ($3::text[])[1 + n % cardinality($3::text[])] AS id) o
  CROSS JOIN LATERAL (SELECT encode(sha256(n::text::bytea), 'hex') AS hash) h`;

/**
 * Adds events to a log, until it holds about `events` of them: first typical ones of ten
 * organisations up to `typical`, then small ones that only claim hashes. Writes rows with COPY on
 * several threads, without the checks of an append: many times as fast. Every proof is completed.
 * A log that was filled before goes on with ten more organisations. Nobody else may append
 * meanwhile.
 */
export async function fillLongLog(
  cleanUp: CleanUp,
  log: {
    readonly url: string;
    readonly masterKey: Buffer;
    readonly typical: number;
    readonly events: number;
    /** Default false. */
    readonly hasValidAnchors?: boolean;
  },
): Promise<{ readonly organisationIds: readonly OrganisationId[]; readonly head: number }> {
  const { url, masterKey, typical, events, hasValidAnchors = false } = log;
  const { store, pool, close } = openStore(url, { masterKey, maxConnections: 2 });
  try {
    const { rows } = await pool.query<{ count: number }>(
      'SELECT count(DISTINCT organisation_id)::int AS count FROM data_keys',
    );
    const earlier = rows[0]?.count ?? 0;
    const made = Array.from({ length: organisations }, newOrganisation);
    for (const { organisationId } of made) await store.createKeys(organisationId);
    const reached = new BigInt64Array(new SharedArrayBuffer(8));
    reached[0] = BigInt(await store.head());
    const count = Math.min(availableParallelism(), organisations);
    const saying = setInterval(
      () => progress(`Filled the log with ${reached[0]} of ${typical} typical events`),
      sayEveryMs,
    );
    try {
      const threads = Array.from({ length: count }, (_, thread) => {
        const own = made.flatMap((organisation, index) =>
          index % count === thread ? [{ organisation, seed: earlier + index + 1 }] : [],
        );
        return run(cleanUp, { url, masterKey, events: typical, hasValidAnchors, own, reached });
      });
      await Promise.all(threads);
    } finally {
      clearInterval(saying);
    }
    const organisationIds = made.map(({ organisationId }) => organisationId);
    const head = Math.max(Number(reached[0]), events);
    for (let from = Number(reached[0]); from < head; from += smallAtOnce) {
      await pool.query(claimed, [from, Math.min(from + smallAtOnce, head), organisationIds]);
      progress(`Filled the log with ${from} of ${head} events`);
    }
    await pool.query('UPDATE log_head SET position = $1', [head]);
    await pool.query('VACUUM ANALYZE events');
    return { organisationIds, head };
  } finally {
    await close();
  }
}

function run(cleanUp: CleanUp, workerData: LongLogThread): Promise<void> {
  const worker = new Worker(new URL('./long-log-thread.ts', import.meta.url), { workerData });
  cleanUp.defer(async () => void (await worker.terminate()));
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`))));
  });
}
