import { secp256k1 as plainSecp256k1 } from '@noble/curves/secp256k1.js';
import { verifyEd25519 as plainVerifyEd25519 } from '../../src/verifier/evidence/verify-ed25519.ts';

/**
 * What the verifier imports to check signatures, for test files that share a process (run-together.ts):
 * each verdict on a signature is computed once. Tests check the same validators' signatures hundreds of
 * times.
 */
export const verifyEd25519 = remembered(plainVerifyEd25519);
export const secp256k1 = { ...plainSecp256k1, verify: remembered(plainSecp256k1.verify) };

/** Verdicts to keep, before all are forgotten. */
const mostVerdicts = 20_000;

type Verify = (a: Uint8Array, b: Uint8Array, c: Uint8Array, ...rest: never) => boolean;

/** An error of `verify` is not remembered. */
function remembered<Given extends Verify>(verify: Given): Given {
  const verdicts = new Map<string, boolean>();
  const recall: Verify = (a, b, c, ...rest) => {
    const bytes = [a, b, c].map((each) => Buffer.from(each).toString('base64'));
    const name = JSON.stringify([...bytes, ...rest]);
    const known = verdicts.get(name);
    if (known !== undefined) return known;
    const verdict = verify(a, b, c, ...rest);
    if (verdicts.size === mostVerdicts) verdicts.clear();
    verdicts.set(name, verdict);
    return verdict;
  };
  return recall as Given;
}
