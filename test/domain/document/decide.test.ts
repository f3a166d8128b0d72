import { test } from 'tap';
import type { BlobKey } from '../../../src/domain/blob/blob-key.ts';
import {
  chainRevision,
  linkDocument,
  type ProofTerms,
  type ReceivedFile,
  storeDocument,
} from '../../../src/domain/document/decide.ts';
import type { DocumentEvent } from '../../../src/domain/document/events.ts';
import {
  evolveDocument,
  revisionsOf,
  type StoredDocument,
  unknownDocument,
} from '../../../src/domain/document/state.ts';
import { evolveHash, freeHash } from '../../../src/domain/hash/state.ts';
import { giveUpProof, requestProof } from '../../../src/domain/proof/decide.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type { ProofEvent } from '../../../src/domain/proof/events.ts';
import { evolveProof } from '../../../src/domain/proof/evolve.ts';
import { isVisible, unknownProof } from '../../../src/domain/proof/state.ts';
import type { DocumentId, OrganisationId, ProofId, WorkspaceId } from '../../../src/domain/ulid.ts';
import { fold } from '../../support/fold.ts';

const organisationId = '01BX5ZZKBKACTAV9WEVGEMMVRZ' as OrganisationId;
const workspaceId = '01BX5ZZKBKACTAV9WEVGEMMVS0' as WorkspaceId;
const documentId = '01ARZ3NDEKTSV4RRFFQ69G5FA0' as DocumentId;
const secondId = '01ARZ3NDEKTSV4RRFFQ69G5FA1' as DocumentId;
const place = { documentId, workspaceId };
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
  const state = fold(unknownDocument, evolveDocument, events);
  if (state.status === 'unknown') throw new Error('nothing is stored');
  return state;
};
const proofOf = (events: readonly ProofEvent[]) => fold(unknownProof, evolveProof, events);
const queued: ProofEvent = { type: 'ProofQueued', data: { reason: 'document' } };

test('a free hash: the document, its queued proof, and the claim that both hold', async (t) => {
  const decision = storeDocument(file, place, terms);
  const { proofId, unitMonth } = terms;
  t.strictSame(decision.document, [
    { type: 'DocumentStored', data: { ...file, ...place, proofId, unitMonth } },
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
  t.strictSame(fold(freeHash, evolveHash, decision.hash), {
    status: 'claimed',
    proofId,
    document: { documentId, proofId },
  });
});

test('a hash posted alone: its proof becomes the document’s, queued unless it is settled', async (t) => {
  const { network, hashScheme, nonce, proofId } = terms;
  const { classification: _, blobKey: __, ...described } = file;
  const order = { ...described, workspaceId, network, hashScheme, nonce, proofId, document: null };
  const requested = requestProof(order, null).proof;
  const pending = proofOf(requested);
  const waiting = proofOf([...requested, queued]);
  if (!isVisible(pending) || !isVisible(waiting)) throw new Error('they were requested');
  const linked = linkDocument(file, place, pending);
  t.strictSame(linked.document, [
    { type: 'DocumentStored', data: { ...file, ...place, proofId, unitMonth: null } },
  ]);
  t.strictSame(linked.proof, [queued]);
  t.strictSame(linked.hash, [{ type: 'HashStored', data: { documentId, proofId } }]);
  t.strictSame(linkDocument(file, place, waiting).proof, []);
});

test('what a hash was described with stays, unless its upload says something else', async (t) => {
  const { network, hashScheme, nonce, proofId } = terms;
  const { classification: _, blobKey: __, ...posted } = { ...file, description: 'posted' };
  const order = { ...posted, workspaceId, network, hashScheme, nonce, proofId, document: null };
  const pending = proofOf(requestProof(order, null).proof);
  if (!isVisible(pending)) throw new Error('it was requested');
  for (const [said, kept] of [
    [null, 'posted'],
    ['', ''],
    ['uploaded', 'uploaded'],
  ] as const) {
    const { document } = linkDocument({ ...file, description: said }, place, pending);
    t.match(document, [{ data: { description: kept, fileName: file.fileName } }]);
  }
});

test('a revision follows the one it is given, inherits, and claims and stores a hash only where it is not', async (t) => {
  const first = storeDocument(file, place, terms);
  const chain = documentOf(first.document);
  const next = { ...file, description: null, classification: null };
  const stored = fold(freeHash, evolveHash, first.hash);
  const taken = chainRevision(chain, chain.latest, next, secondId, later, stored);
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
  const free = chainRevision(chain, chain.latest, next, secondId, later, freeHash);
  t.strictSame(fold(freeHash, evolveHash, free.hash), {
    status: 'claimed',
    proofId: later.proofId,
    document: { documentId: secondId, proofId: later.proofId },
  });
  const posted = fold(freeHash, evolveHash, first.hash.slice(0, 1));
  const beside = chainRevision(chain, chain.latest, next, secondId, later, posted);
  t.strictSame(fold(posted, evolveHash, beside.hash), {
    status: 'claimed',
    proofId: terms.proofId,
    document: { documentId: secondId, proofId: later.proofId },
  });
  const own = { ...next, classification: {} };
  const classified = chainRevision(chain, chain.latest, own, secondId, later, stored);
  t.match(classified.document, [{ data: { classification: {} } }], 'an empty one is one');

  const revised = documentOf([...first.document, ...taken.document]);
  t.strictSame(
    revisionsOf(revised).map(({ revision, previousDocumentId }) => [revision, previousDocumentId]),
    [
      [2, documentId],
      [1, null],
    ],
  );
  // The second was given up: the third follows the first, under a number of its own.
  const third = chainRevision(revised, chain.latest, next, secondId, later, stored);
  t.match(third.document, [{ data: { revision: 3, previousDocumentId: documentId } }]);
});

test('giving up the proof of a document returns its unit, of a hash alone none', async (t) => {
  const { proof } = storeDocument(file, place, terms);
  const given = giveUpProof(proofOf(proof));
  t.strictSame(given.returnedUnit, { month: '2026-03', documentId });
  t.match(given.proof, [{ type: 'AnchorRefused' }]);
  t.strictSame(given.hash, [{ type: 'HashReleased', data: { proofId: terms.proofId } }]);
  t.equal(giveUpProof(proofOf([...proof, ...given.proof])).returnedUnit, undefined, 'only once');
});

test('a chain begins once, and is not continued before', async (t) => {
  const first = storeDocument(file, place, terms).document;
  t.throws(() => documentOf([...first, ...first]), { message: /has begun/ });
  const chain = documentOf(first);
  const next = chainRevision(chain, chain.latest, file, secondId, later, freeHash).document;
  t.throws(() => documentOf(next), { message: /before DocumentStored/ });
});
