import { test } from 'tap';
import type { HashEvent } from '../../../src/domain/hash/events.ts';
import { evolveHash, freeHash } from '../../../src/domain/hash/state.ts';
import type { DocumentId, ProofId } from '../../../src/domain/ulid.ts';
import { fold } from '../../support/fold.ts';

const proofId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ProofId;
const claimed: HashEvent = { type: 'HashClaimed', data: { proofId } };
const documentId = '01ARZ3NDEKTSV4RRFFQ69G5FAW' as DocumentId;
const stored: HashEvent = { type: 'HashStored', data: { documentId } };
const released: HashEvent = { type: 'HashReleased', data: { proofId } };

test('a hash is claimed by one proof until that one lets it go', async (t) => {
  t.strictSame(fold(freeHash, evolveHash, []), { status: 'free' });
  t.strictSame(fold(freeHash, evolveHash, [claimed]), {
    status: 'claimed',
    proofId,
    documentId: null,
  });
  t.strictSame(fold(freeHash, evolveHash, [claimed, released]), { status: 'free' });
  t.match(fold(freeHash, evolveHash, [claimed, released, claimed]), { status: 'claimed' });
});

test('its bytes are stored as one document, until the proof is given up', async (t) => {
  const expected = { status: 'claimed', proofId, documentId };
  t.strictSame(fold(freeHash, evolveHash, [claimed, stored]), expected);
  t.strictSame(fold(freeHash, evolveHash, [claimed, stored, released]), { status: 'free' });
  t.throws(() => fold(freeHash, evolveHash, [stored]), { message: /before HashClaimed/ });
});
