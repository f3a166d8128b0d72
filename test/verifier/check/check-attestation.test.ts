import { test } from 'tap';
import { conclude } from '../../../ops/verifying/verification-in-words.ts';
import { checkBundle } from '../../../src/certificates/check-bundle.ts';
import type { Bundle, BundleAttestation } from '../../../src/verifier/bundle/bundle.ts';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import {
  checkAttestation,
  isProvenByValidators,
} from '../../../src/verifier/check/check-attestation.ts';
import { encodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import {
  sampleBundle,
  sampleFileHash,
  sampleLogKey,
  sampleText,
} from '../../support/sample-bundle.ts';
import {
  laterHeaders,
  syntheticKey,
  syntheticNetwork,
  syntheticSigner,
  writeHeader,
  writeList,
  writeManifest,
  writeValidation,
} from '../../support/synthetic-network.ts';

const network = syntheticNetwork(10);
const keys = [network.publisherKey];
const bundle = sampleBundle({ attested: { network } });

type Attested = Bundle & { readonly attestation: BundleAttestation };

/** Outcomes of the checks: path, chain, list, validations. */
function outcomes(changed: Bundle, trusted: readonly string[] = keys): string[] {
  return checkAttestation(changed, trusted).map(({ outcome }) => outcome);
}

function attestedBy(attestation: Partial<BundleAttestation>, of: Bundle = bundle): Bundle {
  const { attestation: before, ...rest } = of as Attested;
  return { ...rest, attestation: { ...before, ...attestation } } as Bundle;
}

const base64 = (validations: readonly { readonly bytes: Uint8Array }[]) =>
  validations.map(({ bytes }) => encodeBase64(bytes));

/** The ledger of the bundle. */
const ledger = { index: bundle.anchor.ledgerIndex, hash: bundle.anchor.ledgerHash.toLowerCase() };
const allOk = ['ok', 'ok', 'ok', 'ok'];
const noQuorum = ['ok', 'ok', 'ok', 'failed'];

test('a bundle with the word of validators is proven without a server', async (t) => {
  t.equal(bundle.version, 4);
  t.strictSame(outcomes(bundle), allOk);
  const checks = checkBundle(bundle, {
    fileHash: sampleFileHash,
    accounts: [bundle.anchor.account],
    ledger: { asked: false, why: 'offline' },
    logKeys: [sampleLogKey],
    validatorListKeys: keys,
  });
  const verdict = conclude(bundle, checks, { knowsLogKeys: true });
  t.ok(verdict.proven, verdict.conclusion);
  t.match(verdict.conclusion, /^Proven: .*whose list of them was trusted/);
  const list = checks.find(({ name }) => name === 'validator list');
  t.match(list?.detail, `list 1 of the publisher that you named (${network.publisherKey})`);
  t.match(list?.detail, 'valid until 2039-12-22T00:00:00.000Z, with 10 validators');
});

test('a list by an unknown publisher proves nothing, and is no fault', async (t) => {
  t.strictSame(outcomes(bundle, []), ['ok', 'ok', 'notChecked', 'notChecked']);
  t.match(checkAttestation(bundle, [])[2]?.detail, `--validator-list-key ${network.publisherKey}`);
  const other = syntheticNetwork(1, 'other').publisherKey;
  t.strictSame(outcomes(bundle, [other]), ['ok', 'ok', 'failed', 'notChecked']);
});

test('bundles of earlier versions have no such checks', async (t) => {
  for (const options of [{ unlogged: true }, { version: 2 }, { version: 3 }] as const) {
    const checks = checkAttestation(sampleBundle(options), keys);
    t.strictSame(checks, []);
    t.notOk(isProvenByValidators(checks));
  }
});

test('a ledger without validations is proven through a later one', async (t) => {
  for (const laterLedgers of [1, 12, 256]) {
    const later = sampleBundle({ attested: { network, laterLedgers } });
    t.strictSame(outcomes(later), allOk);
    t.strictSame(outcomes(attestedBy({ chain: '' }, later)), noQuorum, 'without the chain');
  }
});

test('a rotated key counts with its newer manifest', async (t) => {
  const [first, ...others] = network.validators;
  if (!first) throw new Error('there are validators');
  const signing = syntheticKey('secp256k1', 'rotated');
  const manifest = writeManifest(first.master, signing, 2);
  const validations = [
    writeValidation(signing, ledger),
    ...others.slice(0, 7).map((one) => writeValidation(one.signing, ledger)),
  ];
  const manifests = [encodeBase64(manifest)];
  const rotated = { validations: base64(validations) };
  t.strictSame(outcomes(attestedBy(rotated)), noQuorum);
  t.strictSame(outcomes(attestedBy({ ...rotated, manifests })), allOk);
  const older = writeValidation(first.signing, ledger);
  const withOlder = { validations: base64([older, ...validations.slice(1)]), manifests };
  t.strictSame(outcomes(attestedBy(withOlder)), noQuorum, 'the replaced key');
  const revoked = [encodeBase64(writeManifest(first.master, null, 0xffff_ffff))];
  const eight = base64(network.validations(ledger, 8));
  const withRevoked = attestedBy({ validations: eight, manifests: revoked });
  t.strictSame(outcomes(withRevoked), noQuorum, 'the revoked key');
});

test('fewer than a quorum prove nothing', async (t) => {
  const of = (count: number) => base64(network.validations(ledger, count));
  t.strictSame(outcomes(attestedBy({ validations: of(8) })), allOk);
  t.strictSame(outcomes(attestedBy({ validations: of(7) })), noQuorum);
  t.strictSame(outcomes(attestedBy({ validations: [] })), noQuorum);
  const large = syntheticNetwork(100, 'large');
  const whole = sampleBundle({ attested: { network: large } });
  const at79 = base64(large.validations(ledger, 79));
  t.strictSame(outcomes(whole, [large.publisherKey]), allOk);
  t.strictSame(outcomes(attestedBy({ validations: at79 }, whole), [large.publisherKey]), noQuorum);
});

test('one validator counts once, however often it signed', async (t) => {
  const seven = network.validations(ledger, 7);
  const again = network.validators.slice(0, 3).map(({ signing }) => {
    return writeValidation(signing, ledger, { flags: 0x8000_0003 });
  });
  t.strictSame(outcomes(attestedBy({ validations: base64([...seven, ...again]) })), noQuorum);
  const [first] = network.validators;
  if (!first) throw new Error('there are validators');
  const list = writeList(network.publisher, [...Array(9).fill(first), ...network.validators]);
  const doubled = attestedBy({ validatorList: list, validations: base64(seven) });
  t.strictSame(outcomes(doubled), noQuorum, 'listed ten times');
});

test('validations of others, of another ledger, or partial ones do not count', async (t) => {
  const seven = network.validations(ledger, 7);
  const [, , , , , , , eighth] = network.validators;
  if (!eighth) throw new Error('there are ten validators');
  const others = [
    writeValidation(syntheticSigner('outsider').signing, ledger),
    writeValidation(eighth.signing, { ...ledger, index: ledger.index + 1 }),
    writeValidation(eighth.signing, { ...ledger, hash: 'ab'.repeat(32) }),
    writeValidation(eighth.signing, ledger, { flags: 0x8000_0000 }),
  ];
  t.strictSame(outcomes(attestedBy({ validations: base64([...seven, ...others]) })), noQuorum);
  const foreign = syntheticNetwork(10, 'foreign');
  const theirs = base64(foreign.validations(ledger));
  t.strictSame(outcomes(attestedBy({ validations: theirs })), noQuorum, 'of another network');
});

test('a list that was not in force when the ledger closed proves nothing', async (t) => {
  const { closeTime } = bundle.anchor;
  const lists = [
    network.list({ expiration: closeTime }),
    network.list({ expiration: 1 }),
    network.list({ effective: closeTime + 1 }),
    { ...network.list(), blob: network.list({ sequence: 2 }).blob },
    syntheticNetwork(10, 'foreign').list(),
  ];
  for (const validatorList of lists) {
    const expected = ['ok', 'ok', 'failed', 'notChecked'];
    t.strictSame(outcomes(attestedBy({ validatorList })), expected);
  }
  const inForce = network.list({ effective: closeTime, expiration: closeTime + 1 });
  t.strictSame(outcomes(attestedBy({ validatorList: inForce })), allOk);
});

test('a chain from another ledger proves nothing', async (t) => {
  const later = sampleBundle({ attested: { network, laterLedgers: 2 } });
  const stranger = writeHeader({ index: ledger.index, closeTime: bundle.anchor.closeTime });
  const last = laterHeaders(stranger, 2).at(-1) ?? stranger;
  const validations = base64(network.validations(last));
  t.strictSame(outcomes(attestedBy({ validations }, later)), noQuorum);
});

test('a bundle of a certificate with 35 validators stays small', async (t) => {
  for (const [laterLedgers, most] of [
    [0, 45_000],
    [256, 72_000],
  ] as const) {
    const text = sampleText({ attested: { network: syntheticNetwork(35), laterLedgers } });
    t.comment(`${text.length} bytes with a chain of ${laterLedgers}`);
    t.ok(text.length < most);
    t.doesNotThrow(() => readBundle(text));
  }
});

test('a changed attestation changes the checksum', async (t) => {
  const { checksum, ...rest } = attestedBy({ chain: 'AAAA' }) as Attested;
  t.not(bundleChecksum(rest), checksum);
});
