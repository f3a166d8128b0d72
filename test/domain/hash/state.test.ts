import { test } from 'tap';
import { hashDecider } from '../../../src/domain/hash/decider.ts';
import { type HashEvent, hashEvents } from '../../../src/domain/hash/events.ts';
import { holdsHash } from '../../../src/domain/hash/state.ts';
import type { DocumentId, ProofId } from '../../../src/domain/ulid.ts';
import { fold } from '../../support/fold.ts';

const proofId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ProofId;
const documentId = '01ARZ3NDEKTSV4RRFFQ69G5FAW' as DocumentId;
const revisionProofId = '01ARZ3NDEKTSV4RRFFQ69G5FAX' as ProofId;
const claimed: HashEvent = { type: 'HashClaimed', data: { proofId } };
const stored: HashEvent = { type: 'HashStored', data: { documentId, proofId } };
const released: HashEvent = { type: 'HashReleased', data: { proofId } };
/** Stored as a revision, which has a proof of its own. */
const revised: HashEvent = {
  type: 'HashStored',
  data: { documentId, proofId: revisionProofId },
};
const revisionReleased: HashEvent = { type: 'HashReleased', data: { proofId: revisionProofId } };

const after = (...events: readonly HashEvent[]) => fold(hashDecider, events);

test('a hash is claimed by one proof until that proof releases it', async (t) => {
  t.strictSame(after(), { status: 'free' });
  t.strictSame(after(claimed), { status: 'claimed', proofId, document: null });
  t.strictSame(after(claimed, released), { status: 'free' });
  t.match(after(claimed, released, claimed), { status: 'claimed' });
  t.strictSame(after(released), { status: 'free' });
});

test('the bytes of a hash are stored as one document until its proof is given up', async (t) => {
  const expected = { status: 'claimed', proofId, document: { documentId, proofId } };
  t.strictSame(after(claimed, stored), expected);
  t.strictSame(after(claimed, stored, released), { status: 'free' });
  t.throws(() => after(stored), { message: /before HashClaimed/ });
});

test('a hash also stored as a revision keeps either proof when the other is gone', async (t) => {
  const document = { documentId, proofId: revisionProofId };
  t.strictSame(after(claimed, revised), { status: 'claimed', proofId, document });
  t.strictSame(after(claimed, revised, released), {
    status: 'claimed',
    proofId: revisionProofId,
    document,
  });
  t.strictSame(after(claimed, revised, revisionReleased), {
    status: 'claimed',
    proofId,
    document: null,
  });
  t.strictSame(after(claimed, revised, released, revisionReleased), { status: 'free' });
  t.strictSame(after(claimed, revised, revisionReleased, released), { status: 'free' });
});

test('a proof holds a hash only by its own claim or its stored document', async (t) => {
  t.notOk(holdsHash(hashDecider.initial, proofId));
  t.ok(holdsHash(after(claimed), proofId));
  t.notOk(holdsHash(after(claimed), revisionProofId));
  t.ok(holdsHash(after(claimed, revised), revisionProofId));
  t.ok(holdsHash(after(claimed, revised, released), revisionProofId));
  t.notOk(holdsHash(after(claimed, revised, released), proofId));
});

test('an old HashStored event without a proof takes the proof of the claim', async (t) => {
  const { upcasts } = hashEvents.HashStored;
  const old = upcasts?.[1]?.({ documentId }) as { documentId: DocumentId; proofId: null };
  t.match(after(claimed, { type: 'HashStored', data: old }), {
    document: { documentId, proofId },
  });
});
