import fc from 'fast-check';
import { test } from 'tap';
import { checkBundle } from '../../src/certificates/check-bundle.ts';
import { hashSchemes } from '../../src/domain/proof/hash-scheme.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import { bundleChecksum } from '../../src/verifier/bundle/bundle-checksum.ts';
import { NoBundle } from '../../src/verifier/bundle/no-bundle.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import type { CheckOutcome } from '../../src/verifier/check/check.ts';
import { anyCharacter } from '../support/any-character.ts';
import { runCount } from '../support/run-count.ts';
import {
  sampleBundle,
  sampleFileHash,
  sampleLogKey,
  sampleStampedAlone,
  sampleWallet,
} from '../support/sample-bundle.ts';
import { strangersDoubts } from '../support/stranger.ts';

type Path = readonly string[];

/** Paths of all leaf values of a bundle. */
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

/**
 * Replaces one character of a text, often by one of the same kind. Replaces other values entirely.
 */
function altered(value: unknown): fc.Arbitrary<unknown> {
  const another = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  if (typeof value === 'number') return fc.oneof(fc.integer(), fc.constant(value + 1), another);
  if (typeof value !== 'string' || value === '') return another;
  const character = fc.oneof(
    fc.constantFrom(...'0123456789abcdefABCDEF'),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
  );
  const replaced = fc
    .tuple(fc.nat(value.length - 1), character)
    .map(([at, one]) => value.slice(0, at) + one + value.slice(at + 1));
  return fc.oneof({ weight: 9, arbitrary: replaced }, { weight: 1, arbitrary: another });
}

/** Names of failed checks of a bundle sent as text, or `malformed` if it cannot be read. */
function wrongWith(bundle: unknown, outcomes: readonly CheckOutcome[] = ['failed']): string[] {
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

/** Checks that need a ledger. */
const neverChecked = ['network', 'validated ledger', 'anchored transaction', 'statements'];

const bundles = [
  ...hashSchemes.map((hashScheme) => sampleBundle({ hashScheme })),
  sampleBundle(sampleStampedAlone),
];
const alterations = fc.constantFrom(...bundles).chain((bundle) =>
  fc.constantFrom(...pathsIn(bundle)).chain((path) =>
    altered(valueAt(bundle, path))
      .filter((value) => value !== valueAt(bundle, path))
      .map((value) => ({ path, altered: withValue(bundle, path, value) as Bundle })),
  ),
);

test('a bundle with any altered value is refused or fails a check', async () => {
  fc.assert(
    fc.property(alterations, (one) => wrongWith(one.altered).length > 0),
    { numRuns: runCount(60, 300) },
  );
});

/**
 * Values protected by the checksum alone: statements of the issuer, and facts only a ledger can
 * confirm.
 */
const statements = [
  /^certificate\./,
  /^file\.(fileName|fileSizeBytes|mimeType)$/,
  /^revision\.number$/,
  /^anchor\.(network|standalone)$/,
  /^addresses\./,
  /^evidence\.metadata$/,
  /^checksum$/,
];

// Removing the nonce makes the form for sharing, whose commitment is not checked.
test('an altered ledger fact is not proven, even with a new checksum', async () => {
  const vouched = alterations.filter(
    ({ path }) => !statements.some((each) => each.test(path.join('.'))),
  );
  fc.assert(
    fc.property(vouched, ({ altered: bundle }) => {
      const checksum = checksumOf(bundle);
      const wrong = wrongWith({ ...bundle, checksum }, ['failed', 'notChecked']);
      return wrong.some((name) => name !== 'checksum');
    }),
    { numRuns: runCount(60, 300) },
  );
});

// Metadata are left out: the verifier decodes them, and the format description only names their
// content.
test('the verifier agrees with an independent reader of the format description', async () => {
  const described = alterations.filter(({ path }) => path.join('.') !== 'evidence.metadata');
  fc.assert(
    fc.property(described, ({ altered: bundle }) => {
      const issued = { ...bundle, checksum: checksumOf(bundle) };
      const wrong = wrongWith(issued);
      return wrong.includes('malformed') || wrong.length > 0 === isDoubted(issued);
    }),
    { numRuns: runCount(30, 150) },
  );
});

function isDoubted(bundle: Bundle): boolean {
  try {
    return strangersDoubts(JSON.stringify(bundle), sampleFileHash, sampleLogKey.vkey).length > 0;
  } catch {
    return true; // the blob differs from its description
  }
}

function checksumOf(bundle: Bundle): string {
  try {
    return bundleChecksum(bundle);
  } catch {
    return bundle.checksum; // a lone surrogate has no canonical form
  }
}
