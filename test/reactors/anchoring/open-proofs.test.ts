import { test } from 'tap';
import type { ProofId } from '../../../src/domain/ulid.ts';
import { type OpenProof, OpenProofs } from '../../../src/reactors/anchoring/open-proofs.ts';

/** Only the id, the status and the signed transaction of a proof matter here. */
const proof = (id: string, status: 'pending' | 'processing', version = 1, account = 'r1') => {
  const prepared = { ledgerId: 'test', account, transactionHash: `${id}-${version}` };
  const state = { status, ...(status === 'processing' && { prepared }) };
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
