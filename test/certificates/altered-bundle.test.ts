import fc from 'fast-check';
import { test } from 'tap';
import { checkBundle } from '../../src/certificates/check-bundle.ts';
import { hashSchemes } from '../../src/domain/proof/hash-scheme.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import { bundleChecksum } from '../../src/verifier/bundle/bundle-checksum.ts';
import { NoBundle } from '../../src/verifier/bundle/no-bundle.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import type { Outcome } from '../../src/verifier/check/check.ts';
import {
  sampleBundle,
  sampleFileHash,
  sampleLogKey,
  sampleWallet,
} from '../support/sample-bundle.ts';
import { strangersDoubts } from '../support/stranger.ts';

type Path = readonly string[];

/** The members of a bundle that are values. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, name]));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((at, name) => (at as Record<string, unknown>)[name], value);
}

function withValue(value: unknown, [name, ...rest]: Path, replaced: unknown): unknown {
  if (name === undefined) return replaced;
  if (Array.isArray(value)) {
    return value.with(Number(name), withValue(value[Number(name)], rest, replaced));
  }
  const members = value as Record<string, unknown>;
  return { ...members, [name]: withValue(members[name], rest, replaced) };
}

/** One character replaced, kept of the same kind as often as not; other values by others. */
function altered(value: unknown): fc.Arbitrary<unknown> {
  const another = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  if (typeof value === 'number') return fc.oneof(fc.integer(), fc.constant(value + 1), another);
  if (typeof value !== 'string' || value === '') return another;
  const character = fc.oneof(
    fc.constantFrom(...'0123456789abcdefABCDEF'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const replaced = fc
    .tuple(fc.nat(value.length - 1), character)
    .map(([at, one]) => value.slice(0, at) + one + value.slice(at + 1));
  return fc.oneof({ weight: 9, arbitrary: replaced }, { weight: 1, arbitrary: another });
}

/** What is found to be wrong with a bundle that was sent as text; `malformed` if it is not read. */
function wrongWith(bundle: unknown, outcomes: readonly Outcome[] = ['failed']): string[] {
  try {
    const read = readBundle(JSON.stringify(bundle));
    const accounts = [sampleWallet.address];
    const ledger = { asked: false, why: 'offline' } as const;
    return checkBundle(read, {
      fileHash: sampleFileHash,
      accounts,
      ledger,
      logKeys: [sampleLogKey],
    })
      .filter(({ name, outcome }) => outcomes.includes(outcome) && !neverChecked.includes(name))
      .map(({ name }) => name);
  } catch (error) {
    if (error instanceof NoBundle) return ['malformed'];
    throw error;
  }
}

/** Without a ledger. */
const neverChecked = ['network', 'validated ledger', 'anchored transaction', 'statements'];

const bundles = hashSchemes.map((hashScheme) => sampleBundle({ hashScheme }));
const alterations = fc.constantFrom(...bundles).chain((bundle) =>
  fc.constantFrom(...pathsIn(bundle)).chain((path) =>
    altered(valueAt(bundle, path))
      .filter((value) => value !== valueAt(bundle, path))
      .map((value) => ({ path, altered: withValue(bundle, path, value) as Bundle })),
  ),
);

test('a bundle of which any value is altered is refused, or fails a check', async () => {
  fc.assert(
    fc.property(alterations, (one) => wrongWith(one.altered).length > 0),
    { numRuns: 1_000 },
  );
});

/** What the checksum alone vouches for: the issuer's word, and what only a ledger can tell. */
const statements = [
  /^certificate\./,
  /^file\.(fileName|fileSizeBytes|mimeType)$/,
  /^revision\.number$/,
  /^anchor\.(network|standalone)$/,
  /^addresses\./,
  /^evidence\.metadata$/,
  /^checksum$/,
];

// A nonce that is taken out makes the form for sharing, of which the commitment is not checked.
test('what the ledger vouches for is not proven once altered, also with a new checksum', async () => {
  const vouched = alterations.filter(
    ({ path }) => !statements.some((each) => each.test(path.join('.'))),
  );
  fc.assert(
    fc.property(vouched, ({ altered: bundle }) => {
      const checksum = checksumOf(bundle);
      const wrong = wrongWith({ ...bundle, checksum }, ['failed', 'notChecked']);
      return wrong.some((name) => name !== 'checksum');
    }),
    { numRuns: 1_000 },
  );
});

// Metadata aside: it is decoded here, where the description only says what stands in it.
test('the verifier and whoever follows the description of the format come to the same', async () => {
  const described = alterations.filter(({ path }) => path.join('.') !== 'evidence.metadata');
  fc.assert(
    fc.property(described, ({ altered: bundle }) => {
      const issued = { ...bundle, checksum: checksumOf(bundle) };
      const wrong = wrongWith(issued);
      return wrong.includes('malformed') || wrong.length > 0 === isDoubted(issued);
    }),
    { numRuns: 500 },
  );
});

function isDoubted(bundle: Bundle): boolean {
  try {
    return strangersDoubts(JSON.stringify(bundle), sampleFileHash, sampleLogKey.vkey).length > 0;
  } catch {
    return true; // the blob is not as it is described
  }
}

function checksumOf(bundle: Bundle): string {
  try {
    return bundleChecksum(bundle);
  } catch {
    return bundle.checksum; // a lone surrogate has no canonical form
  }
}
