import { test } from 'tap';
import { createValidationCheck } from '../../../src/reactors/attesting/is-signed-validation.ts';
import { isSignedValidation } from '../../../src/verifier/evidence/validation.ts';
import { type StreamName, sampleValidations } from '../../support/validated-network.ts';

const order = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n;

const samples = (
  [
    ['validations', 250],
    ['validations', 255],
    ['rotation-and-outage', 302],
  ] as const satisfies readonly (readonly [StreamName, number])[]
).flatMap(([stream, index]) => sampleValidations(stream, index));

test('accepts the validations of a real network', async (t) => {
  const isSigned = createValidationCheck();
  t.equal(samples.length, 12);
  for (const validation of samples) t.ok(isSigned(validation));
});

test('gives the verdict of the verifier on altered validations', async (t) => {
  const isSigned = createValidationCheck();
  for (const validation of samples.slice(0, 2)) {
    const { signature, signedBytes, signingKey } = validation;
    const altered = [
      ...Array.from(signature.keys(), (at) => ({ signature: flip(signature, at) })),
      { signature: withHighS(signature) },
      { signature: signature.subarray(0, -1) },
      { signature: Uint8Array.of(...signature, 0) },
      { signature: new Uint8Array() },
      { signingKey: flip(signingKey, 0) },
      { signingKey: flip(signingKey, 7) },
      { signedBytes: [...signedBytes, Uint8Array.of(0)] },
    ];
    for (const change of altered) {
      const changed = { ...validation, ...change };
      t.equal(isSigned(changed), isSignedValidation(changed));
      t.equal(isSigned(changed), false);
    }
  }
});

function flip(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.with(at, (bytes[at] ?? 0) ^ 1);
}

/** The other signature of the same key and message, which is not canonical. */
function withHighS(der: Uint8Array): Uint8Array {
  const rLength = der[3] ?? 0;
  const r = Buffer.from(der.subarray(2, 4 + rLength));
  const s = BigInt(`0x${Buffer.from(der.subarray(6 + rLength)).toString('hex')}`);
  const high = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex');
  const content = Buffer.concat([r, Buffer.of(2, 33, 0), high]);
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
}
