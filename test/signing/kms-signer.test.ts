import { secp256k1 } from '@noble/curves/secp256k1.js';
import { decode } from 'ripple-binary-codec';
import { type Test, test } from 'tap';
import { verifySignature } from 'xrpl';
import { proofMemo } from '../../src/domain/proof/memo.ts';
import { signAnchors } from '../../src/ledger/anchor-transaction.ts';
import { createKms, openKmsSigner } from '../../src/signing/kms-signer.ts';
import { startKms } from '../support/kms.ts';
import { until } from '../support/until.ts';

const draftOf = (sequence: number) => ({
  sequence,
  feeDrops: 10,
  lastLedgerSequence: 20,
  memo: proofMemo({ fileHash: 'a'.repeat(64), hashScheme: 'sha256-plain-v1' }),
});

test('a key of AWS KMS signs what the ledger accepts', async (t) => {
  const kms = await startKms(t);
  const client = clientOf(t, kms.environment);
  const signer = await openKmsSigner(client, kms.keyId, kms.address);
  t.equal(signer.publicKey, kms.publicKey);
  const drafts = Array.from({ length: 100 }, (_, sequence) => draftOf(sequence));
  const signed = await signAnchors(drafts, signer);
  t.ok(
    signed.every(({ blob }) => verifySignature(blob)),
    'the xrpl library verifies each',
  );
  t.ok(
    signed.every(({ blob }) => hasLowS(blob)),
    'canonical, though about half were not',
  );
  t.ok(kms.highS() > 0);
  t.ok(kms.together() <= 32, 'few at once');
});

test('a key that cannot be used says why', async (t) => {
  const kms = await startKms(t);
  const client = clientOf(t, kms.environment);
  const { address } = kms;
  await t.rejects(openKmsSigner(client, 'alias/none', address), {
    name: 'SignerUnavailable',
    message: /AWS KMS, key alias\/none: NotFoundException/,
  });
  await t.rejects(openKmsSigner(client, 'alias/rsa', address), /must be ECC_SECG_P256K1/);
  const signer = await openKmsSigner(client, kms.keyId, address);
  kms.disable();
  await t.rejects(signAnchors([draftOf(1)], signer), /DisabledException/);
});

test('AWS KMS is not waited for when the caller has left', async (t) => {
  const kms = await startKms(t);
  const signer = await openKmsSigner(clientOf(t, kms.environment), kms.keyId, kms.address);
  kms.silence();
  const leaving = new AbortController();
  const messages = Array.from({ length: 100 }, (_, number) => Buffer.from([number]));
  const signing = t.rejects(signer.sign(messages, leaving.signal), {
    name: 'SignerUnavailable',
    message: /AbortError/,
  });
  await until('32 signatures are asked for', async () => kms.waiting() === 32);
  leaving.abort();
  await signing;
  await until('no request waits', async () => kms.waiting() === 0);
  t.equal(kms.together(), 32, 'no more are asked for');
});

/** The lower half of the curve's order (xrpl.org, "Transaction Malleability"). */
function hasLowS(blob: string): boolean {
  const { s } = secp256k1.Signature.fromHex(String(decode(blob).TxnSignature), 'der');
  return s <= secp256k1.Point.Fn.ORDER / 2n;
}

/** A client for this environment, of which the SDK reads some parts later. */
function clientOf(t: Test, environment: Readonly<Record<string, string>>) {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, environment);
  const client = createKms();
  t.teardown(() => {
    client.destroy();
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  return client;
}
