import { test } from 'tap';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import { isConsistent } from '../../../src/verifier/check/is-consistent.ts';
import { sampleText } from '../../support/sample-bundle.ts';

const holds = (text: string) => isConsistent(readBundle(text));

test('bundles of every version and scheme are consistent', async (t) => {
  const versions = [{ unlogged: true }, { version: 2 }, { version: 3 }] as const;
  for (const [place, version] of versions.entries()) {
    for (const hashScheme of [
      'sha256-plain-v1',
      'hmac-sha256-nonce-v2',
      'hmac-sha256-nonce-v3',
    ] as const) {
      const text = sampleText({ ...version, hashScheme });
      t.equal(JSON.parse(text).version, place + 1);
      t.ok(holds(text), `${hashScheme} in version ${place + 1}`);
    }
  }
});

test('any change of a bundle makes it inconsistent, even with a new checksum', async (t) => {
  const [zeros, upper] = ['0'.repeat(64), 'A'.repeat(64)];
  const changes: [section: string, name: string, forged: unknown][] = [
    ['file', 'fileHash', zeros],
    ['commitment', 'commitment', zeros],
    ['commitment', 'nonce', zeros],
    ['commitment', 'hashScheme', 'hmac-sha256-nonce-v2'],
    ['revision', 'previousTransactionHash', null],
    ['anchor', 'transactionHash', upper],
    ['anchor', 'ledgerIndex', 7],
    ['anchor', 'ledgerHash', upper],
    ['anchor', 'closeTime', 7],
    ['anchor', 'closeTimeIso', '2001-01-01T00:00:00.000Z'],
    ['evidence', 'blob', '1200'],
    ['evidence', 'ledgerHeader', '00'],
    ['addresses', 'verifyUrl', 'https://proofs.example/verify/another'],
    ['addresses', 'verifyPageUrl', 'https://proofs.example/verify/another'],
  ];
  for (const [section, name, forged] of changes) {
    const { checksum: _, ...value } = JSON.parse(sampleText());
    Object.assign(value[section], { [name]: forged });
    const checksum = bundleChecksum(value);
    t.notOk(holds(JSON.stringify({ ...value, checksum })), `${section}.${name}`);
  }
  const { checksum: _, ...same } = JSON.parse(sampleText());
  t.ok(holds(JSON.stringify({ ...same, checksum: bundleChecksum(same) })), 'unchanged');
});
