import { test } from 'tap';
import type { BlobKey } from '../../../src/domain/blob/blob-key.ts';
import {
  documentDecider,
  maxRevisions,
  type ProofTerms,
  type ReceivedFile,
} from '../../../src/domain/document/decider.ts';
import type { DocumentEvent } from '../../../src/domain/document/events.ts';
import { revisionsOf, type StoredDocument } from '../../../src/domain/document/state.ts';
import { hashDecider } from '../../../src/domain/hash/decider.ts';
import { proofDecider } from '../../../src/domain/proof/decider.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type { ProofEvent } from '../../../src/domain/proof/events.ts';
import { isVisible } from '../../../src/domain/proof/state.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import { fold, refusalOf } from '../../support/fold.ts';

const organisationId = '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId;
const workspaceId = '01BX5ZZKBKACTAV9WEVGEMMVS0' as WorkspaceId;
const documentId = '01ARZ3NDEKTSV4RRFFQ69G5FA0' as DocumentId;
const secondId = '01ARZ3NDEKTSV4RRFFQ69G5FA1' as DocumentId;
const ids = { documentId, workspaceId };
const file: ReceivedFile = {
  organisationId,
  blobKey: `${organisationId}/01ARZ3NDEKTSV4RRFFQ69G5FAB` as BlobKey,
  fileHash: '0f'.repeat(32) as Digest,
  fileName: 'contract.pdf',
  fileSizeBytes: 12,
  mimeType: 'application/pdf',
  description: 'signed',
  classification: { runId: 'r1' },
};
const terms: ProofTerms = {
  proofId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ProofId,
  network: 'testnet',
  hashScheme: 'sha256-plain-v1',
  nonce: 'ab'.repeat(32),
  unitMonth: '2026-03',
};
const later: ProofTerms = { ...terms, proofId: '01ARZ3NDEKTSV4RRFFQ69G5FAW' as ProofId };

const documentOf = (events: readonly DocumentEvent[]): StoredDocument => {
  const state = fold(documentDecider, events);
  if (state.status === 'unknown') throw new Error('nothing is stored');
  return state;
};
const proofOf = (events: readonly ProofEvent[]) => fold(proofDecider, events);
const queued: ProofEvent = { type: 'ProofQueued', data: { reason: 'document' } };

test('for a free hash, stores the document, queues its proof and claims the hash', async (t) => {
  const decision = documentDecider.store(file, ids, terms);
  const { proofId, unitMonth } = terms;
  t.strictSame(decision.document, [
    { type: 'DocumentStored', data: { ...file, ...ids, proofId, unitMonth } },
  ]);
  t.match(decision.proof, [
    {
      type: 'ProofRequested',
      data: {
        ...{ proofId, fileHash: file.fileHash, fileName: 'contract.pdf', description: 'signed' },
        document: { rootDocumentId: documentId, documentId, previousProofId: null, unitMonth },
      },
    },
    queued,
  ]);
  t.equal(decision.proof.length, 2);
  t.strictSame(fold(hashDecider, decision.hash), {
    status: 'claimed',
    proofId,
    document: { documentId, proofId },
  });
});

test('for a hash posted alone, the document takes over its proof and queues it unless settled', async (t) => {
  const { network, hashScheme, nonce, proofId } = terms;
  const { classification: _, blobKey: __, ...described } = file;
  const order = { ...described, workspaceId, network, hashScheme, nonce, proofId, document: null };
  const requested = proofDecider.request(order, null).proof;
  const pending = proofOf(requested);
  const waiting = proofOf([...requested, queued]);
  if (!isVisible(pending) || !isVisible(waiting)) throw new Error('they were requested');
  const linked = documentDecider.link(file, ids, pending);
  t.strictSame(linked.document, [
    { type: 'DocumentStored', data: { ...file, ...ids, proofId, unitMonth: null } },
  ]);
  t.strictSame(linked.proof, [queued]);
  t.strictSame(linked.hash, [{ type: 'HashStored', data: { documentId, proofId } }]);
  t.strictSame(documentDecider.link(file, ids, waiting).proof, []);
});

test('keeps the description posted with the hash, unless the upload states another', async (t) => {
  const { network, hashScheme, nonce, proofId } = terms;
  const { classification: _, blobKey: __, ...posted } = { ...file, description: 'posted' };
  const order = { ...posted, workspaceId, network, hashScheme, nonce, proofId, document: null };
  const pending = proofOf(proofDecider.request(order, null).proof);
  if (!isVisible(pending)) throw new Error('it was requested');
  for (const [said, kept] of [
    [null, 'posted'],
    ['', ''],
    ['uploaded', 'uploaded'],
  ] as const) {
    const { document } = documentDecider.link({ ...file, description: said }, ids, pending);
    t.match(document, [{ data: { description: kept, fileName: file.fileName } }]);
  }
});

test('a revision follows the previous one, and claims or stores its hash only if not yet done', async (t) => {
  const first = documentDecider.store(file, ids, terms);
  const chain = documentOf(first.document);
  const next = { ...file, description: null, classification: null };
  const stored = fold(hashDecider, first.hash);
  const taken = documentDecider.addRevision(chain, chain.latest, next, secondId, later, stored);
  const link = { rootDocumentId: documentId, previousDocumentId: documentId, revision: 2 };
  t.match(taken.document, [
    {
      type: 'RevisionChained',
      data: { ...link, documentId: secondId, workspaceId, classification: { runId: 'r1' } },
    },
  ]);
  t.match(taken.document[0]?.data, { description: null, proofId: later.proofId });
  t.match(taken.proof[0]?.data, {
    document: { rootDocumentId: documentId, documentId: secondId, previousProofId: terms.proofId },
  });
  t.strictSame(taken.proof[1], queued);
  t.strictSame(taken.hash, []);
  const free = documentDecider.addRevision(
    chain,
    chain.latest,
    next,
    secondId,
    later,
    hashDecider.initial,
  );
  t.strictSame(fold(hashDecider, free.hash), {
    status: 'claimed',
    proofId: later.proofId,
    document: { documentId: secondId, proofId: later.proofId },
  });
  const posted = fold(hashDecider, first.hash.slice(0, 1));
  const beside = documentDecider.addRevision(chain, chain.latest, next, secondId, later, posted);
  t.strictSame(fold(hashDecider, beside.hash, posted), {
    status: 'claimed',
    proofId: terms.proofId,
    document: { documentId: secondId, proofId: later.proofId },
  });
  const own = { ...next, classification: {} };
  const classified = documentDecider.addRevision(chain, chain.latest, own, secondId, later, stored);
  t.match(
    classified.document,
    [{ data: { classification: {} } }],
    'an empty classification counts',
  );

  const revised = documentOf([...first.document, ...taken.document]);
  t.strictSame(
    revisionsOf(revised).map(({ revision, previousDocumentId }) => [revision, previousDocumentId]),
    [
      [2, documentId],
      [1, null],
    ],
  );
  // The second revision was given up, so the third follows the first, with its own number.
  const third = documentDecider.addRevision(revised, chain.latest, next, secondId, later, stored);
  t.match(third.document, [{ data: { revision: 3, previousDocumentId: documentId } }]);
});

test('a chain that has its maximum number of revisions, or more, gets no further one', async (t) => {
  const { latest, ...chain } = documentOf(documentDecider.store(file, ids, terms).document);
  const revise = (newest: number) => {
    const long = { ...chain, latest: { ...latest, revision: newest, before: latest } };
    return documentDecider.addRevision(long, latest, file, secondId, later, hashDecider.initial);
  };
  t.match(revise(maxRevisions - 1).document, [{ data: { revision: maxRevisions } }]);
  for (const newest of [maxRevisions, maxRevisions + 5]) {
    t.match(
      refusalOf(() => revise(newest)),
      { code: 'INVALID_REQUEST', message: /^1000 revisions/ },
    );
  }
});

test("giving up a document's proof returns its unit, a proof of a hash alone returns none", async (t) => {
  const { proof } = documentDecider.store(file, ids, terms);
  const given = proofDecider.giveUp(proofOf(proof));
  t.strictSame(given.returnedUnit, { month: '2026-03', documentId });
  t.match(given.proof, [{ type: 'AnchorRefused' }]);
  t.strictSame(given.hash, [{ type: 'HashReleased', data: { proofId: terms.proofId } }]);
  t.equal(
    proofDecider.giveUp(proofOf([...proof, ...given.proof])).returnedUnit,
    undefined,
    'only once',
  );
});

test('a chain begins once, and has no revision before its beginning', async (t) => {
  const first = documentDecider.store(file, ids, terms).document;
  t.throws(() => documentOf([...first, ...first]), { message: /has begun/ });
  const chain = documentOf(first);
  const next = documentDecider.addRevision(
    chain,
    chain.latest,
    file,
    secondId,
    later,
    hashDecider.initial,
  ).document;
  t.throws(() => documentOf(next), { message: /before DocumentStored/ });
});
