import fc from 'fast-check';
import { test } from 'tap';
import { ulid } from 'ulid';
import type { BlockchainStatus } from '../../../projections/documents/blockchain-status.ts';
import { documents } from '../../../projections/documents/project.ts';
import {
  type DocumentsQuery,
  queryDocuments,
} from '../../../projections/documents/query-documents.ts';
import { blockSize } from '../../../projections/documents/table.ts';
import { evidence } from '../../../projections/evidence/project.ts';
import type { WorkspaceId } from '../../../src/domain/ulid.ts';
import { catchUp } from '../../../src/subscriptions/catch-up.ts';
import { prepareProjection } from '../../../src/subscriptions/projector.ts';
import { type Archive, type ArchivedProof, createArchive } from '../../support/archive.ts';
import { createTestStore } from '../../support/event-store.ts';
import { runCount } from '../../support/run-count.ts';
import { seededRandom } from '../../support/seed.ts';

/** The model's knowledge of a proof. */
interface Modelled {
  proof: ArchivedProof;
  status: BlockchainStatus;
  transactionHash: string;
  fileName: string | null;
  description: string | null;
}

const workspaceIds = [ulid(), ulid()] as WorkspaceId[];
const texts = ['Report 2024-04.pdf', 'REPORT', 'Ärger%', 'a_b\\c', '日本語 report', 'x', 'ß', null];
const words = [
  'report',
  'REP',
  'e',
  'ss',
  '%',
  '_',
  '\\',
  'ÄRG',
  '語',
  '本語 ',
  '024-0',
  'zzz',
  '',
];
const about = { name: fc.constantFrom(...texts), text: fc.constantFrom(...texts) };
const at = fc.nat({ max: 1_000 });
const make = fc.record({ kind: fc.constantFrom('request', 'upload'), at, ...about });
const move = fc.record({ kind: fc.constantFrom('prepare', 'anchor', 'expire', 'vanish'), at });
const advance = fc.record({ kind: fc.constantFrom('prepare', 'anchor'), at });
const link = fc.record({ kind: fc.constant('link'), at, ...about });
const fold = fc.record({ kind: fc.constant('fold'), at: fc.nat({ max: 3 }) });
const steps = fc.array(fc.oneof(make, make, move, advance, link, fold), {
  minLength: 8,
  size: '+1',
});
type Step = typeof steps extends fc.Arbitrary<readonly (infer Item)[]> ? Item : never;

const queries = fc.array(
  fc.record({
    page: fc.integer({ min: 1, max: 5 }),
    limit: fc.integer({ min: 1, max: 6 }),
    workspaceId: fc.option(fc.constantFrom(...workspaceIds)),
    blockchainStatus: fc.option(fc.constantFrom('pending', 'processing', 'completed')),
    search: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(null, ...words) },
      fc.record({ of: fc.constantFrom('hash', 'id', 'transaction'), at }),
    ),
  }),
  { minLength: 12, maxLength: 12 },
);

/** Applies the act to the archive and the model, unless it is impossible now. */
async function happen(archive: Archive, model: Modelled[], step: Exclude<Step, { kind: 'fold' }>) {
  const { kind } = step;
  if (kind === 'request' || kind === 'upload') {
    if (!('name' in step)) return;
    const workspaceId = workspaceIds[step.at % 2] as WorkspaceId;
    const file = { fileName: step.name, description: step.text, workspaceId };
    const proof = await archive[kind](file);
    const fileName = step.name ?? (kind === 'upload' ? 'unnamed' : null);
    model.push({ proof, status: 'pending', transactionHash: '', ...file, fileName });
    return;
  }
  const one = model[step.at % Math.max(1, model.length)];
  if (one === undefined) return;
  if (kind === 'link' && one.proof.documentId === null && 'name' in step) {
    const file = { fileName: step.name, description: step.text };
    one.proof = await archive.upload({ of: one.proof, ...file });
    Object.assign(one, file, { fileName: step.name ?? 'unnamed' });
  } else if (kind === 'prepare' && one.status === 'pending') {
    one.transactionHash = await archive.prepare(one.proof);
    one.status = 'processing';
  } else if (kind === 'anchor' && one.status === 'processing') {
    await archive.anchor(one.proof, one.transactionHash);
    one.status = 'completed';
  } else if (kind === 'expire' && one.status === 'processing') {
    await archive.expire(one.proof, one.transactionHash);
    Object.assign(one, { status: 'pending', transactionHash: '' });
  } else if (kind === 'vanish' && one.status === 'pending') {
    await (one.proof.documentId ? archive.refuse(one.proof) : archive.withdraw(one.proof));
    model.splice(model.indexOf(one), 1);
  }
}

function expected(model: readonly Modelled[], query: Omit<DocumentsQuery, 'organisationId'>) {
  const search = query.search ?? '';
  const has = (text: string | null) =>
    text?.normalize('NFC').toUpperCase().includes(search.normalize('NFC').toUpperCase());
  const found = model.filter(
    ({ proof, status, transactionHash, fileName, description }) =>
      (!query.workspaceId || proof.workspaceId === query.workspaceId) &&
      (!query.blockchainStatus || status === query.blockchainStatus) &&
      (search === '' ||
        has(fileName) ||
        has(description) ||
        [proof.proofId, proof.fileHash, transactionHash].some(
          (whole) => whole.toLowerCase() === search.toLowerCase(),
        )),
  );
  const from = (query.page - 1) * query.limit;
  const page = found.toReversed().slice(from, from + query.limit);
  return {
    total: found.length,
    items: page.map(({ proof, status, transactionHash, fileName, description }) => ({
      proofId: proof.proofId,
      documentId: proof.documentId,
      ...{ status, transactionHash, fileName, description },
    })),
  };
}

test('after any sequence of changes every page of every search equals the page of a list in memory', async (t) => {
  const { db, store, pool } = await createTestStore(t);
  for (const each of [documents, evidence]) await prepareProjection(db, each);
  const settle = async () =>
    catchUp({ db, store, projections: [documents], position: await store.head() });

  const property = fc.asyncProperty(steps, queries, async (happenings, asked) => {
    const archive = await createArchive(store);
    const { organisationId } = archive;
    const model: Modelled[] = [];
    for (const step of happenings) {
      if (step.kind !== 'fold') {
        await happen(archive, model, step as Exclude<Step, { kind: 'fold' }>);
        continue;
      }
      await settle();
      // As if proofs had vanished, so that later ones lie in other blocks and at their edges.
      const skip = `UPDATE document_ordinals SET last = (last / $2 + $3 + 1) * $2 - 1 - $3 % 2
                    WHERE organisation_id = $1 AND $3 > 0`;
      await pool.query(skip, [organisationId, blockSize, step.at]);
    }
    await settle();
    for (const { search, ...rest } of asked) {
      const one = typeof search === 'string' ? null : model[(search?.at ?? 0) % model.length];
      const wholes = { hash: one?.proof.fileHash, id: one?.proof.proofId };
      const whole = { ...wholes, transaction: one?.transactionHash };
      const text = search === null || typeof search === 'string' ? search : whole[search.of];
      const query = { ...rest, search: text ?? null };
      for (const fewProofs of [0, 1_000_000]) {
        const listed = await queryDocuments(db, { organisationId, ...query }, { fewProofs });
        const items = listed.items.map((item) => ({
          proofId: item.proofId,
          documentId: item.document?.documentId ?? null,
          status: item.blockchainStatus,
          transactionHash: item.transactionHash ?? '',
          fileName: item.fileName,
          description: item.description,
        }));
        t.strictSame({ total: listed.total, items }, expected(model, query), JSON.stringify(query));
      }
    }
    return t.passing();
  });
  const seed = Math.floor(seededRandom(t)() * 2 ** 31);
  await fc.assert(property, { seed, numRuns: runCount(8, 30), endOnFailure: true });
});
