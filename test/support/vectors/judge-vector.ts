import { conclude } from '../../../ops/verifying/verification-in-words.ts';
import { checkBundle } from '../../../src/certificates/check-bundle.ts';
import type { Digest } from '../../../src/domain/proof/digest.ts';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import { decodeBundle } from '../../../src/verifier/bundle/decode-bundle.ts';
import { extractBundle } from '../../../src/verifier/bundle/extract-bundle.ts';
import { NoBundle } from '../../../src/verifier/bundle/no-bundle.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { type ReadKey, readLogKey } from '../../../src/verifier/log/note-key.ts';
import { type Policy, PolicyMistake, parsePolicy } from '../../../src/verifier/log/policy.ts';
import { bytesOf, type Expectation, type VectorInput } from './vector.ts';

/** Result of the modules of `ops verify` for a vector, without a ledger. */
export async function judgeVector(vector: VectorInput): Promise<Expectation> {
  const { fileHash, accounts, logKeys, validatorListKeys = [], policy: text } = vector.options;
  const issuerKeys = (vector.options.issuerKeys ?? []).map(readLogKey);
  const keys = logKeys?.map(readLogKey) ?? [];
  const policy = text === undefined ? null : policyOf(text);
  if (policy === 'malformed' || keys.includes(null) || issuerKeys.includes(null))
    return { result: 'refused', kind: 'options' };
  const bundle = await readVector(vector);
  if (bundle === null) {
    const isPdf = vector.certificateBase64 !== undefined;
    return { result: 'refused', kind: isPdf ? 'certificate' : 'bundle' };
  }
  const known = [...(keys as ReadKey[]), ...(policy?.logs ?? [])];
  const checks = checkBundle(bundle, {
    fileHash: (fileHash ?? null) as Digest | null,
    accounts: accounts ?? null,
    ledger: { asked: false, why: 'offline' },
    logKeys: known.length === 0 ? null : known,
    policy,
    validatorListKeys: validatorListKeys.map((key) => key.toUpperCase()),
    issuerKeys: issuerKeys.flatMap((key) => key ?? []),
    isPrinted: vector.certificateBase64 !== undefined,
  });
  const { proven } = conclude(bundle, checks, { knowsLogKeys: known.length > 0 });
  const isFailed = checks.some(({ outcome }) => outcome === 'failed');
  const outcomes = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
  return { result: proven ? 'proven' : isFailed ? 'notProven' : 'notProvenYet', checks: outcomes };
}

/** Bundle of a vector as `ops verify` and the page read it; null if it is refused. */
export function readVector(vector: VectorInput): Promise<Bundle | null> {
  const reading = read.get(vector) ?? readAnew(vector);
  read.set(vector, reading);
  return reading;
}

const read = new WeakMap<VectorInput, Promise<Bundle | null>>();

async function readAnew(vector: VectorInput): Promise<Bundle | null> {
  const bytes = bytesOf(vector);
  try {
    const isPdf = vector.certificateBase64 !== undefined;
    return readBundle(isPdf ? await extractBundle(bytes) : decodeBundle(bytes));
  } catch (error) {
    if (error instanceof NoBundle) return null;
    throw error;
  }
}

function policyOf(text: string): Policy | 'malformed' {
  try {
    return parsePolicy(text);
  } catch (error) {
    if (error instanceof PolicyMistake) return 'malformed';
    throw error;
  }
}
