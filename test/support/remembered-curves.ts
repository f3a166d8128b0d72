import { ed25519 as plainEd25519 } from '@noble/curves/ed25519.js';
import { secp256k1 as plainSecp256k1 } from '@noble/curves/secp256k1.js';

/**
 * The curves of the verifier for test files that share a process (run-together.ts): each verdict on a
 * signature is computed once. Tests check the same validators' signatures hundreds of times.
 */
export const ed25519 = { ...plainEd25519, verify: remembered(plainEd25519.verify) };
export const secp256k1 = { ...plainSecp256k1, verify: remembered(plainSecp256k1.verify) };

/** Verdicts to keep, before all are forgotten. */
const mostVerdicts = 20_000;

type Verify = (
  signature: Uint8Array,
  message: Uint8Array,
  key: Uint8Array,
  ...rest: never
) => boolean;

/** An error of `verify` is not remembered. */
function remembered<Given extends Verify>(verify: Given): Given {
  const verdicts = new Map<string, boolean>();
  const recall: Verify = (signature, message, key, ...rest) => {
    const bytes = [signature, message, key].map((each) => Buffer.from(each).toString('base64'));
    const name = JSON.stringify([...bytes, ...rest]);
    const known = verdicts.get(name);
    if (known !== undefined) return known;
    const verdict = verify(signature, message, key, ...rest);
    if (verdicts.size === mostVerdicts) verdicts.clear();
    verdicts.set(name, verdict);
    return verdict;
  };
  return recall as Given;
}
