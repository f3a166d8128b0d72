import { test } from 'tap';
import { type OpenProof, OpenProofs } from '../../src/anchoring-state/open-proofs.ts';
import type { ProofId } from '../../src/domain/ulid.ts';

/** Only the id, the status, the organisation and the signed transaction of a proof matter here. */
const proof = (
  id: string,
  status: 'pending' | 'processing',
  version = 1,
  account = 'r1',
  organisationId = 'O',
) => {
  const prepared = { ledgerId: 'test', account, transactionHash: `${id}-${version}` };
  const request = { organisationId };
  const state = { status, request, ...(status === 'processing' && { prepared }) };
  return { proofId: id as ProofId, version, causeId: id, state } as unknown as OpenProof;
};

const waiting = (proofs: OpenProofs) =>
  [...proofs.pending()].map(({ proofId }) => proofId as string);

test('waiting proofs stay in order of arrival when they are updated', (t) => {
  const proofs = new OpenProofs();
  for (const id of ['a', 'b', 'c']) proofs.set(proof(id, 'pending'));
  proofs.set(proof('a', 'pending', 2));
  t.strictSame(waiting(proofs), ['a', 'b', 'c']);
  t.equal(proofs.get('a' as ProofId)?.version, 2);
  t.equal(proofs.size, 3);
  t.end();
});

test('a proof whose transaction expired waits before proofs never signed for', (t) => {
  const proofs = new OpenProofs();
  for (const id of ['a', 'b', 'c']) proofs.set(proof(id, 'pending'));
  proofs.set(proof('b', 'processing', 2));
  t.strictSame(waiting(proofs), ['a', 'c']);
  t.strictSame(
    [...proofs.underWay()].map(({ proofId }) => proofId as string),
    ['b'],
  );
  proofs.set(proof('b', 'pending', 3));
  proofs.set(proof('b', 'pending', 4));
  t.strictSame(waiting(proofs), ['b', 'a', 'c']);
  t.strictSame([...proofs.underWay()], []);
  t.equal(proofs.size, 3);
  t.end();
});

/** A proof of the organisation that is the first letter of its id. */
const owned = (id: string, status: 'pending' | 'processing') =>
  proof(id, status, 1, 'r1', id.slice(0, 1));

test('organisations take turns, and a thousand proofs of one delay no other', (t) => {
  const proofs = new OpenProofs();
  for (let n = 0; n < 1_000; n += 1) proofs.set(owned(`a${n}`, 'pending'));
  for (const id of ['b0', 'c0', 'c1']) proofs.set(owned(id, 'pending'));
  t.strictSame(waiting(proofs).slice(0, 7), ['a0', 'b0', 'c0', 'a1', 'c1', 'a2', 'a3']);
  t.equal(new Set(waiting(proofs)).size, 1_003, 'each proof once');
  t.strictSame(proofs.ids().slice(998), ['a998', 'a999', 'b0', 'c0', 'c1'], 'saved as they came');
  t.end();
});

test('the retries of one organisation delay no other either', (t) => {
  const proofs = new OpenProofs();
  for (const id of ['a0', 'a1', 'a2', 'b0', 'b1']) proofs.set(owned(id, 'pending'));
  for (const id of ['a1', 'a2', 'b1']) proofs.set(owned(id, 'processing'));
  for (const id of ['a1', 'a2', 'b1']) proofs.set(owned(id, 'pending'));
  t.strictSame(waiting(proofs), ['a1', 'b1', 'a2', 'b0', 'a0']);
  t.end();
});

test('a proof that is not due costs its organisation no turn', (t) => {
  const proofs = new OpenProofs();
  const retries = Array.from({ length: 300 }, (_, n) => `ar${n}`);
  for (const id of [...retries, 'a0']) proofs.set(owned(id, 'pending'));
  for (const id of retries) proofs.set(owned(id, 'processing'));
  for (const id of retries) proofs.set(owned(id, 'pending'));
  for (let n = 0; n < 300; n += 1) proofs.set(owned(`b${n}`, 'pending'));
  const due = [...proofs.pending(({ proofId }) => !proofId.startsWith('ar'))];
  t.strictSame(
    due.slice(0, 3).map(({ proofId }) => proofId),
    ['a0', 'b0', 'b1'],
  );
  t.end();
});

test('with room for one proof at a time, each organisation has its turn', (t) => {
  const proofs = new OpenProofs();
  for (const id of ['a0', 'a1', 'a2', 'b0', 'b1', 'c0']) proofs.set(owned(id, 'pending'));
  const signed: string[] = [];
  const sign = () => {
    const [next = ''] = waiting(proofs);
    signed.push(next);
    proofs.set(owned(next, 'processing'));
  };
  sign();
  proofs.delete('b0' as ProofId);
  proofs.set(owned('d0', 'pending'));
  while (waiting(proofs).length > 0) sign();
  t.strictSame(signed, ['a0', 'b1', 'c0', 'a1', 'd0', 'a2'], 'one withdrawn ends no turn');
  t.end();
});

test('a released revision comes after the other proofs of its organisation alone', (t) => {
  const proofs = new OpenProofs();
  for (const id of ['a0', 'a1', 'a2', 'b0']) proofs.set(owned(id, 'pending'));
  proofs.hold('a0' as ProofId);
  t.strictSame(waiting(proofs), ['a1', 'b0', 'a2']);
  proofs.release('a0' as ProofId);
  t.strictSame(waiting(proofs), ['a1', 'b0', 'a2', 'a0']);
  t.end();
});

test('settled proofs are removed, whether waiting or under way', (t) => {
  const proofs = new OpenProofs();
  for (const id of ['a', 'b', 'c']) proofs.set(proof(id, 'pending'));
  proofs.set(proof('b', 'processing'));
  proofs.set(proof('c', 'processing'));
  proofs.set(proof('c', 'pending'));
  for (const id of proofs.ids()) proofs.delete(id);
  t.equal(proofs.size, 0);
  t.equal(proofs.get('a' as ProofId), undefined);
  t.end();
});

test('signed transactions are listed by ledger and account, one for each proof', (t) => {
  const proofs = new OpenProofs();
  const signedBy = (account: string, ledgerId = 'test') =>
    [...proofs.signedBy(ledgerId, account)].map(({ transactionHash }) => transactionHash);
  proofs.set(proof('a', 'processing'));
  proofs.set(proof('b', 'processing', 1, 'r2'));
  proofs.set(proof('c', 'processing'));
  proofs.set(proof('d', 'pending'));
  t.strictSame([signedBy('r1'), signedBy('r2')], [['a-1', 'c-1'], ['b-1']]);
  t.strictSame([signedBy('r1', 'main'), signedBy('r3')], [[], []], 'other ledgers and accounts');
  proofs.set(proof('c', 'processing', 2));
  t.strictSame(signedBy('r1'), ['a-1', 'c-2'], 'a replacement');
  proofs.set(proof('c', 'processing', 3, 'r2'));
  t.strictSame([signedBy('r1'), signedBy('r2')], [['a-1'], ['b-1', 'c-3']], 'another account');
  proofs.set(proof('b', 'pending', 2));
  proofs.delete('c' as ProofId);
  t.strictSame([signedBy('r1'), signedBy('r2')], [['a-1'], []], 'expired, and settled');
  t.end();
});
