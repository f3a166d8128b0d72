import { createPublicKey, verify } from 'node:crypto';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { test } from 'tap';
import { verifyEd25519 } from '../../../src/verifier/evidence/verify-ed25519.ts';
import {
  neutralSignature,
  smallOrderKeys,
  smallOrderSignature,
  torsionSignature,
} from '../../support/odd-signatures.ts';
import { projectRoot, run } from '../../support/run.ts';

const secret = Buffer.alloc(32, 5);
const key = ed25519.getPublicKey(secret);
const message = Buffer.from('a signed message');
const genuine = Buffer.from(ed25519.sign(message, secret));
const order = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The signature with another S, in the same 64 bytes. */
function withScalar(signature: Buffer, change: (scalar: bigint) => bigint): Buffer {
  const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
  const digits = change(scalar).toString(16).padStart(64, '0');
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(digits, 'hex').reverse()]);
}

const signatures: Readonly<Record<string, readonly [Uint8Array, Uint8Array, boolean]>> = {
  genuine: [key, genuine, true],
  'of another message': [key, Buffer.from(ed25519.sign(key, secret)), false],
  'with S beyond the order': [key, withScalar(genuine, (scalar) => scalar + order), false],
  'with another S': [key, withScalar(genuine, (scalar) => scalar + 1n), false],
  'with a part of order 8 in R': [key, torsionSignature(secret, message), false],
  'with the neutral element as R': [key, neutralSignature(secret, message, true), false],
  'with a non-canonical R': [key, neutralSignature(secret, message, false), false],
  'of 63 bytes': [key, genuine.subarray(0, 63), false],
  'of 65 bytes': [key, Buffer.concat([genuine, Buffer.of(0)]), false],
  'by a key that is no point': [Buffer.alloc(32, 2), genuine, false],
  ...Object.fromEntries(
    Object.entries(smallOrderKeys).map(([size, small]) => [
      `by a key of order ${size}`,
      [small, smallOrderSignature(small, message), false],
    ]),
  ),
  'by a key of order 8, with another S': [
    smallOrderKeys[8],
    smallOrderSignature(smallOrderKeys[8], message, false),
    false,
  ],
};

const spki = Buffer.from('302a300506032b6570032100', 'hex');

test('every verifier of Ed25519 gives the same verdicts as Node.js', async (t) => {
  for (const [what, [publicKey, signature, holds]] of Object.entries(signatures)) {
    const der = Buffer.concat([spki, publicKey]);
    const ofNode = verify(
      null,
      message,
      createPublicKey({ key: der, format: 'der', type: 'spki' }),
      signature,
    );
    t.equal(ofNode, holds, `Node.js: ${what}`);
    t.equal(verifyEd25519(publicKey, message, signature), holds, what);
  }
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const given = Object.values(signatures).map(([of, by]) => [hex(of), hex(message), hex(by)]);
  const program = [
    'import json, sys',
    `sys.path.insert(0, ${JSON.stringify(join(projectRoot, 'src/pages'))})`,
    'sys.dont_write_bytecode = True',
    'from verify import ed25519_holds',
    `given = json.loads(${JSON.stringify(JSON.stringify(given))})`,
    'print(json.dumps([ed25519_holds(*map(bytes.fromhex, one)) for one in given]))',
  ].join('\n');
  const { stdout, stderr } = await run(t, ['python3', '-c', program]).ended;
  t.strictSame(
    JSON.parse(stdout),
    Object.values(signatures).map(([, , holds]) => holds),
    stderr,
  );
});
