import { type Kysely, sql } from 'kysely';
import type { StoreTables } from '../../event-store/database.ts';
import { isVerifiable } from '../../verifier/log/note-key.ts';
import { isQuorum, type Policy } from '../../verifier/log/policy.ts';

type Tables = Kysely<
  Pick<StoreTables, 'published_checkpoints' | 'checkpoint_cosignatures' | 'events'>
>;

/** Age in seconds of the first event that no cosigned checkpoint covers; 0 if all are covered. */
export interface WitnessCoverage {
  /** By the name of each witness with a URL in the policy. */
  readonly lags: ReadonlyMap<string, number>;
  /** Of checkpoints with a quorum; null if the policy demands none. */
  readonly quorumLag: number | null;
}

interface Row {
  readonly number: string | number;
  readonly size: string | number;
  readonly vkeys: readonly string[];
}

/** Numbers of newest checkpoints to search, one after the other while something is not found. */
const windows = [16, 256, 4_096];
const waitMs = 2_000;

/**
 * Reads how far the witnesses of a policy have cosigned the log. A lag is too small if the last
 * cosigned checkpoint is older than those that are searched. Null before the first checkpoint.
 */
export async function readWitnessCoverage(
  db: Tables,
  policy: Policy,
  nowMs: number = Date.now(),
): Promise<WitnessCoverage | null> {
  return db.transaction().execute(async (trx) => {
    await sql`SET LOCAL statement_timeout = ${sql.lit(waitMs)}`.execute(trx);
    const found = await findCovered(trx, policy);
    if (found === null) return null;
    const { sizes, quorumSize } = found;
    const positions = [...sizes.values(), ...(quorumSize === null ? [] : [quorumSize])];
    const { rows } = await sql<{ position: string | number; recorded_at: string }>`
      SELECT position, recorded_at FROM events
      WHERE position = ANY(${positions.map((size) => size + 1)}::bigint[])`.execute(trx);
    const times = new Map(rows.map((row) => [Number(row.position), Date.parse(row.recorded_at)]));
    const lagOf = (size: number) => Math.max(0, (nowMs - (times.get(size + 1) ?? nowMs)) / 1_000);
    return {
      lags: new Map([...sizes].map(([name, size]) => [name, lagOf(size)])),
      quorumLag: quorumSize === null ? null : lagOf(quorumSize),
    };
  });
}

async function findCovered(
  trx: Tables,
  policy: Policy,
): Promise<{ sizes: ReadonlyMap<string, number>; quorumSize: number | null } | null> {
  const asked = policy.witnesses.filter(({ url }) => url !== null);
  for (const [at, window] of windows.entries()) {
    const rows = await readNewest(trx, window);
    const oldest = rows.at(-1);
    if (oldest === undefined) return null;
    const isAll = rows.length < window || at === windows.length - 1;
    // Of a witness that was not found, nothing is known before the searched checkpoints.
    const unknown = rows.length < window ? 0 : Number(oldest.size);
    const sizes = new Map<string, number>();
    for (const { name, key } of asked) {
      const row = rows.find(({ vkeys }) => vkeys.includes(key.vkey));
      if (row !== undefined || isAll) sizes.set(name, row ? Number(row.size) : unknown);
    }
    const quorum = rows.find(({ vkeys }) => hasQuorum(policy, vkeys));
    const isDone = sizes.size === asked.length && quorum !== undefined;
    if (!isDone && !isAll) continue;
    const quorumSize = quorum === undefined ? unknown : Number(quorum.size);
    return { sizes, quorumSize: policy.quorum.kind === 'none' ? null : quorumSize };
  }
  return null;
}

/** Cosignatures of types that are not known here count for no quorum. */
function hasQuorum({ quorum, witnesses }: Policy, vkeys: readonly string[]): boolean {
  const cosigned = witnesses.filter(({ key }) => isVerifiable(key) && vkeys.includes(key.vkey));
  return isQuorum(quorum, new Set(cosigned.map(({ name }) => name)));
}

/** Newest first, of the epoch of the newest one. */
async function readNewest(trx: Tables, limit: number): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    WITH newest AS (SELECT number, origin FROM published_checkpoints ORDER BY number DESC LIMIT 1)
    SELECT p.number, p.size, array(
      SELECT c.vkey FROM checkpoint_cosignatures c WHERE c.number = p.number) AS vkeys
    FROM published_checkpoints p, newest
    WHERE p.origin = newest.origin AND p.number > newest.number - ${limit}
    ORDER BY p.number DESC`.execute(trx);
  return rows;
}
