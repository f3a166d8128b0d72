import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSeed } from 'ripple-keypairs';
import { type Test, test } from 'tap';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { signAnchors } from '../../src/ledger/anchor-transaction.ts';
import type { LedgerAccount, LedgerGateway } from '../../src/ledger/contract.ts';
import { createSeedSigner } from '../../src/ledger/signer.ts';
import { AccountHold } from '../../src/reactors/anchoring/account-hold.ts';
import { openLateSigners } from '../../src/signing/late-signers.ts';
import { SigningRate } from '../../src/signing/signing-rate.ts';
import { serveSigning } from '../../src/signing/signing-server.ts';
import { newFolder } from '../support/blobs.ts';

const key = createSeedSigner(generateSeed());
const other = createSeedSigner(generateSeed());
const draft = {
  ...{ sequence: 1, feeDrops: 10, lastLedgerSequence: 20 },
  memo: proofMemo({ fileHash: 'a'.repeat(64), hashScheme: 'sha256-plain-v1' }),
};

async function openLate(t: Test) {
  const folder = await newFolder(t);
  await chmod(folder, 0o700);
  const socket = join(folder, 'signer.sock');
  const { promise: answered, resolve: onAnswered } = Promise.withResolvers<readonly string[]>();
  const signers = openLateSigners(socket, { retryMs: 10, onAnswered });
  t.teardown(() => signers.close());
  const serve = async () => {
    const serving = await serveSigning({
      socket,
      accounts: [{ signer: key, purpose: 'proofs' }],
      maxFeeDrops: 1_000,
      rate: new SigningRate(100_000),
      ...{ onSigned() {}, onRefused() {}, onFailed() {} },
    });
    t.teardown(() => serving.stop());
  };
  return { signers, serve, answered };
}

test('a signing process that starts late signs from then on', async (t) => {
  const { signers, serve, answered } = await openLate(t);
  const signer = signers.of(key.address);
  t.equal(signer.accountId, key.accountId);
  t.throws(() => signer.publicKey, { name: 'SignerUnavailable', message: /has not answered yet/ });
  await t.rejects(signAnchors([draft], signer), { name: 'SignerUnavailable' });
  await serve();
  t.strictSame(await answered, [], 'no key is missing');
  t.equal(signer.publicKey, key.publicKey);
  t.strictSame(await signAnchors([draft], signer), await signAnchors([draft], key));
});

test('an account whose key the late process lacks stays unavailable, and is named', async (t) => {
  const { signers, serve, answered } = await openLate(t);
  const signer = signers.of(other.address);
  await serve();
  t.strictSame(await answered, [other.address]);
  t.throws(() => signer.publicKey, { name: 'SignerUnavailable', message: /has no key of r/ });
});

test('an account waits for its signer, and is asked for again at the next ledger', async (t) => {
  const { signers, serve, answered } = await openLate(t);
  const hold = new AccountHold(key.address, 'ledger', signers.of(key.address));
  const store = { versionOf: async () => 0, head: async () => 1 } as unknown as EventStore;
  const account = { balanceDrops: 1_000_000n, sequence: 7, regularKey: null } as LedgerAccount;
  const gateway = { account: async () => account } as unknown as LedgerGateway;
  await hold.refresh(store, gateway, { tipIndex: 1, feeDrops: 10, applied: 0 });
  t.match(hold, { lack: 'signerUnavailable', validatedSequence: null });
  await serve();
  await answered;
  await hold.refresh(store, gateway, { tipIndex: 2, feeDrops: 10, applied: 0 });
  t.match(hold, { lack: null, validatedSequence: 7 });
});
