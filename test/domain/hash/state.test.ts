import { test } from 'tap';
import type { HashEvent } from '../../../src/domain/hash/events.ts';
import { evolveHash, freeHash } from '../../../src/domain/hash/state.ts';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { fold } from '../../support/fold.ts';

const proofId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ProofId;
const claimed: HashEvent = { type: 'HashClaimed', data: { proofId } };
const released: HashEvent = { type: 'HashReleased', data: { proofId } };

test('a hash is claimed by one proof until that one lets it go', async (t) => {
  t.strictSame(fold(freeHash, evolveHash, []), { status: 'free' });
  t.strictSame(fold(freeHash, evolveHash, [claimed]), { status: 'claimed', proofId });
  t.strictSame(fold(freeHash, evolveHash, [claimed, released]), { status: 'free' });
  t.match(fold(freeHash, evolveHash, [claimed, released, claimed]), { status: 'claimed' });
});
