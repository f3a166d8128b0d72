import { test } from 'tap';
import { checkEvidence } from '../../src/pages/check-evidence.js';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import { issuedBy, signedBundle } from '../support/issued-pdf.ts';
import { sampleLogSigner } from '../support/sample-bundle.ts';
import { otherLogKey } from '../support/vectors/vector-bases.ts';

const bundle = readBundle(signedBundle());
const published = {
  log: [sampleLogSigner.vkey],
  issuer: [{ key: issuedBy.vkey, compromisedSince: null }],
};
const statusOf = (name: string, ...given: [string, typeof published]) =>
  checkEvidence(bundle, given[0], null, given[1]).steps.find((step) => step.name === name);

test('keys that this service publishes verify log and issuer on its word', async (t) => {
  const nobody = { log: [], issuer: [] };
  for (const [name, unknown, stated, known] of [
    ['logCheckpoint', 'logKeyUnknown', 'logSignedStated', 'logSignedKnown'],
    ['issuer', 'issuerUnknown', 'issuerSignedStated', 'issuerSigned'],
  ] as const) {
    t.match(statusOf(name, '', nobody), { status: 'notChecked', text: unknown });
    t.match(statusOf(name, '', published), { status: 'stated', text: stated });
    const entered = `${sampleLogSigner.vkey}\n${issuedBy.vkey}`;
    t.match(statusOf(name, entered, published), { status: 'ok', text: known });
  }
  t.match(
    statusOf('logCheckpoint', '', { ...published, log: [otherLogKey.vkey] }),
    { status: 'notChecked', text: 'logKeyUnknown' },
    'a page may be older than the key of the log',
  );
  t.match(statusOf('logCheckpoint', '', { log: ['no key'], issuer: [] }), { status: 'notChecked' });
});
