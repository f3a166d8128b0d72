import { test } from 'tap';
import { conclude } from '../../../ops/verifying/verification-in-words.ts';
import { failed, notChecked, ok } from '../../../src/verifier/check/check.ts';
import { type SampleOptions, sampleBundle } from '../../support/sample-bundle.ts';

const known = { knowsLogKeys: true };
const passed = ok('checksum', 'the checksum matches');

function conclusionOf(options: SampleOptions, anchor: object = {}): string {
  const bundle = sampleBundle(options);
  const { conclusion } = conclude(
    { ...bundle, anchor: { ...bundle.anchor, ...anchor } },
    [passed],
    known,
  );
  return conclusion;
}

test('a proof on the main network proves a time, and names what is anchored', async (t) => {
  const salted = conclusionOf({ hashScheme: 'hmac-sha256-nonce-v3' });
  t.match(
    salted,
    /^Proven: .* no later than 2026-.*Z\. Its commitment is in ledger \d+ of mainnet/,
  );
  t.notMatch(salted, /Test only/);
  t.match(conclusionOf({ hashScheme: 'sha256-plain-v1' }), /Z\. Its SHA-256 is in ledger/);
});

test('a proof on a test network or a standalone ledger is marked as a test', async (t) => {
  t.match(conclusionOf({}, { network: 'testnet' }), /Test only: the test network is reset/);
  t.match(conclusionOf({}, { standalone: true }), /Test only: a standalone ledger has no evid/);
});

test('failed and missing checks are listed by name, and nothing is proven', async (t) => {
  const bundle = sampleBundle({});
  const missing = notChecked('network', 'no ledger was asked');
  t.match(conclude(bundle, [passed, missing], known), {
    proven: false,
    conclusion: /^Not proven yet: no check failed, but this check could not be made: network\./,
  });
  const wrong = [failed('file hash', 'another file'), failed('memo', 'another memo'), missing];
  t.match(conclude(bundle, wrong, known), {
    proven: false,
    conclusion: /^NOT PROVEN: these checks FAILED: file hash, memo\. Do not rely on this proof\./,
  });
});
