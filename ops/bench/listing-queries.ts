import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type pg from 'pg';
import { foldText } from '../../projections/documents/fold-text.ts';
import {
  type DocumentsPage,
  type DocumentsQuery,
  listDocuments,
} from '../../projections/documents/list.ts';
import type { ReadModels } from '../../src/subscriptions/projection.ts';
import { createLatencies, type Latencies } from './latencies.ts';
import type { ListedOrganisation } from './listed-proofs.ts';
import { progress } from './progress.ts';
import { readScheduling } from './scheduling.ts';

/** Milliseconds within which 99 of 100 are to be answered. */
const targets = {
  firstPage: 100,
  page50000: 100,
  deepPageOfWorkspace: 2_000,
  pending: 2_000,
  deepPageOfCompleted: 2_000,
  wholeHashOrId: 50,
  atLeast3CharactersUpTo1000Matches: 50,
  atLeast3CharactersMoreMatches: 2_000,
  oneOrTwoCharacters: 2_000,
  oneOrTwoCharactersFiltered: 2_000,
  deepPageOfSearch: 2_000,
} as const;

type Kind = keyof typeof targets;
type Asked = Omit<DocumentsQuery, 'organisationId' | 'page' | 'limit'> & { page?: number };

const limit = 20;

export async function measureLists(options: {
  /** On a single connection. */
  readonly db: ReadModels;
  readonly pool: pg.Pool;
  readonly organisation: ListedOrganisation;
  readonly documents: number;
  readonly searches: number;
}): Promise<{ readonly lists: object; readonly totalsChecked: number; readonly met: boolean }> {
  const { db, pool, organisation, documents, searches } = options;
  const { organisationId, workspaceIds } = organisation;
  const measured = new Map<Kind, Measured>();
  const lastPage = documents / limit;
  let totalsChecked = 0;

  const { rows } = await db.executeQuery<{ pid: number }>(backend.compile(db));
  const pids = [process.pid, ...rows.map(({ pid }) => pid)];
  const ask = async (kind: Kind | ((found: DocumentsPage) => Kind), asked: Asked) => {
    const before = readScheduling(pids);
    const startedAt = performance.now();
    const found = await listDocuments(db, { organisationId, page: 1, limit, ...asked });
    const ms = performance.now() - startedAt;
    const after = readScheduling(pids);
    const name = typeof kind === 'string' ? kind : kind(found);
    const own = measured.get(name) ?? newMeasured();
    measured.set(name, own);
    own.latencies.record(ms);
    if (before && after) own.ran.record(after.ran - before.ran);
    if (before && after) own.waited.record(after.waited - before.waited);
    return found;
  };
  const check = async (search: string, { total }: DocumentsPage) => {
    const { rows } = await pool.query<{ count: number }>(
      `SELECT count(*) FROM documents WHERE organisation_id = $1
       AND position($2 IN coalesce(file_name, '') || E'\\x01' || coalesce(description, '')) > 0`,
      [organisationId, foldText(search)],
    );
    assert.equal(total, rows[0]?.count, `total of ${search}`);
    totalsChecked += 1;
  };
  const texts = await drawTexts(pool, organisationId, searches * 3);
  const workspaceId = workspaceIds[0] ?? null;
  const few = Math.ceil(searches / 10);

  progress('pages without a search');
  for (let n = 0; n < searches; n += 1) {
    const all = await ask('firstPage', {});
    assert.equal(all.total, documents);
    const deep = await ask('page50000', { page: Math.min(50_000, lastPage) });
    assert.equal(deep.items.length, limit);
    await ask('deepPageOfWorkspace', { workspaceId, page: Math.max(1, Math.floor(lastPage / 6)) });
    await ask('pending', { blockchainStatus: 'pending', page: 1 + (n % 50) });
    const page = Math.floor(lastPage * 0.8);
    await ask('deepPageOfCompleted', { blockchainStatus: 'completed', page });
  }
  progress('whole hashes and ids');
  for (const { hash, proof_id } of texts.slice(0, searches)) {
    assert.equal((await ask('wholeHashOrId', { search: hash })).total, 1);
    assert.equal((await ask('wholeHashOrId', { search: proof_id })).total, 1);
  }
  progress('parts of three characters or more');
  for (const [n, { part }] of texts.entries()) {
    const byMatches = ({ total }: DocumentsPage): Kind =>
      total <= 1_000 ? 'atLeast3CharactersUpTo1000Matches' : 'atLeast3CharactersMoreMatches';
    const found = await ask(byMatches, { search: part });
    assert.ok(found.total > 0);
    if (n % 25 === 0) await check(part, found);
    if (n % 10 === 0)
      await ask('deepPageOfSearch', { search: part, page: 1 + Math.floor(found.total / 40) });
  }
  progress('parts of one or two characters');
  for (const [n, { part }] of texts.slice(0, few).entries()) {
    const search = [...part].slice(0, 1 + (n % 2)).join('');
    const found = await ask('oneOrTwoCharacters', { search });
    if (n % 5 === 0) await check(search, found);
    const filters = { workspaceId, blockchainStatus: 'completed' } as const;
    await ask('oneOrTwoCharactersFiltered', { search, ...filters });
  }
  const lists = Object.fromEntries([...measured].map(([kind, own]) => [kind, judge(kind, own)]));
  return { lists, totalsChecked, met: Object.values(lists).every(({ met }) => met) };
}

const backend = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`;

/** Of one kind; processor times are of this process and of the connection's, not of parallel ones. */
interface Measured {
  readonly latencies: Latencies;
  readonly ran: Latencies;
  readonly waited: Latencies;
}

function newMeasured(): Measured {
  return { latencies: createLatencies(), ran: createLatencies(), waited: createLatencies() };
}

function judge(kind: Kind, { latencies, ran, waited }: Measured) {
  const latencyMs = latencies.summary();
  const met = latencyMs.p99 <= targets[kind];
  const processorMs = { ran: ran.summary(), waitedForOthers: waited.summary() };
  return { targetP99Ms: targets[kind], met, latencyMs, processorMs };
}

interface Drawn {
  readonly part: string;
  readonly hash: string;
  readonly proof_id: string;
}

/** Of proofs at random: three to twelve characters from their names and descriptions. */
async function drawTexts(pool: pg.Pool, organisationId: string, count: number): Promise<Drawn[]> {
  const { rows } = await pool.query<Drawn & { text: string }>(
    `SELECT encode(x.file_hash, 'hex') AS hash, x.proof_id,
            CASE WHEN random() < 0.5 THEN x.file_name ELSE x.description END AS text
     FROM document_details x WHERE x.organisation_id = $1 ORDER BY random() LIMIT $2`,
    [organisationId, count],
  );
  return rows.map(({ hash, proof_id, text }) => {
    const characters = [...text];
    const length = 3 + Math.floor(Math.random() * 10);
    const from = Math.floor(Math.random() * Math.max(1, characters.length - length));
    return { hash, proof_id, part: characters.slice(from, from + length).join('') };
  });
}
