import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type pg from 'pg';
import { foldText } from '../../../projections/documents/fold-text.ts';
import {
  type DocumentsPage,
  type DocumentsQuery,
  queryDocuments,
} from '../../../projections/documents/query-documents.ts';
import type { ReadModels } from '../../../src/subscriptions/projection.ts';
import { progress } from '../harness/progress.ts';
import {
  createScheduledLatencies,
  type ScheduledLatencies,
  scheduled,
} from '../harness/scheduling.ts';
import type { ListedOrganisation } from '../samples/listed-proofs.ts';

/** Target latency of 99 of 100 calls, in milliseconds. */
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
  /** Read models on a single connection. */
  readonly db: ReadModels;
  readonly pool: pg.Pool;
  readonly organisation: ListedOrganisation;
  readonly documents: number;
  readonly searches: number;
}): Promise<{ readonly lists: object; readonly totalsChecked: number; readonly met: boolean }> {
  const { db, pool, organisation, documents, searches } = options;
  const { organisationId, workspaceIds } = organisation;
  const measured = new Map<Kind, ScheduledLatencies>();
  const lastPage = documents / limit;
  let totalsChecked = 0;

  const { rows } = await db.executeQuery<{ pid: number }>(backend.compile(db));
  // Processor times cover this process and the connection's backend, but not parallel workers.
  const pids = [process.pid, ...rows.map(({ pid }) => pid)];
  const ask = async (kind: Kind | ((found: DocumentsPage) => Kind), asked: Asked) => {
    const query = { organisationId, page: 1, limit, ...asked };
    const answered = await scheduled(pids, () => queryDocuments(db, query));
    const found = answered.result;
    const name = typeof kind === 'string' ? kind : kind(found);
    const own = measured.get(name) ?? createScheduledLatencies();
    measured.set(name, own);
    own.record(answered.ms, answered.scheduling);
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

  progress('Listing pages without a search');
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
  progress('Searching for whole hashes and ids');
  for (const { hash, proof_id } of texts.slice(0, searches)) {
    assert.equal((await ask('wholeHashOrId', { search: hash })).total, 1);
    assert.equal((await ask('wholeHashOrId', { search: proof_id })).total, 1);
  }
  progress('Searching for parts of three characters or more');
  for (const [n, { part }] of texts.entries()) {
    const byMatches = ({ total }: DocumentsPage): Kind =>
      total <= 1_000 ? 'atLeast3CharactersUpTo1000Matches' : 'atLeast3CharactersMoreMatches';
    const found = await ask(byMatches, { search: part });
    assert.ok(found.total > 0);
    if (n % 25 === 0) await check(part, found);
    if (n % 10 === 0)
      await ask('deepPageOfSearch', { search: part, page: 1 + Math.floor(found.total / 40) });
  }
  progress('Searching for parts of one or two characters');
  for (const [n, { part }] of texts.slice(0, few).entries()) {
    const search = [...part].slice(0, 1 + (n % 2)).join('');
    const found = await ask('oneOrTwoCharacters', { search });
    if (n % 5 === 0) await check(search, found);
    const filters = { workspaceId, blockchainStatus: 'completed' } as const;
    await ask('oneOrTwoCharactersFiltered', { search, ...filters });
  }
  const lists = Object.fromEntries(
    [...measured].map(([kind, own]) => [kind, own.judge(targets[kind])]),
  );
  return { lists, totalsChecked, met: Object.values(lists).every(({ met }) => met) };
}

const backend = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`;

interface Drawn {
  readonly part: string;
  readonly hash: string;
  readonly proof_id: string;
}

/** Texts of random proofs: three to twelve characters of their names and descriptions. */
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
