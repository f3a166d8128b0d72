import { test } from 'tap';
import type { Bundle } from '../../../src/verifier/bundle/bundle.ts';
import { bundleChecksum } from '../../../src/verifier/bundle/bundle-checksum.ts';
import { NoBundle } from '../../../src/verifier/bundle/no-bundle.ts';
import { readBundle } from '../../../src/verifier/bundle/read-bundle.ts';
import {
  checkAttestation,
  isProvenByValidators,
} from '../../../src/verifier/check/check-attestation.ts';
import { checkHeader } from '../../../src/verifier/check/check-header.ts';
import { alterAt, placesIn } from '../../support/alterations.ts';
import { runCount } from '../../support/run-count.ts';
import { sampleBundle } from '../../support/sample-bundle.ts';
import { seededRandom } from '../../support/seed.ts';
import { syntheticNetwork } from '../../support/synthetic-network.ts';

const network = syntheticNetwork(5);
const bundles = [0, 3].map((laterLedgers) => sampleBundle({ attested: { network, laterLedgers } }));

/** True if validators prove the bundle's ledger, with a checksum computed anew. */
function isAccepted(altered: Bundle): boolean {
  try {
    const { checksum: _, ...rest } = altered;
    const bundle = readBundle(JSON.stringify({ ...rest, checksum: bundleChecksum(rest) }));
    const isHeader = checkHeader(bundle).every(({ outcome }) => outcome === 'ok');
    return isHeader && isProvenByValidators(checkAttestation(bundle, [network.publisherKey]));
  } catch (error) {
    if (error instanceof NoBundle) return false;
    throw error;
  }
}

test('no altered attestation proves a ledger, and none crashes the verifier', async (t) => {
  const random = seededRandom(t);
  const among = <One>(all: readonly One[]) => all[Math.floor(random() * all.length)] as One;
  t.ok(bundles.every(isAccepted), 'unaltered');
  for (let run = 0; run < runCount(100, 400); run += 1) {
    const bundle = among(bundles);
    const places = placesIn(bundle).filter(
      ([member, name]) => member === 'attestation' || (member === 'evidence' && name !== 'memo'),
    );
    const place = among(places);
    const altered = alterAt(bundle, place, random);
    if (altered === null) continue;
    const start = process.cpuUsage();
    t.notOk(isAccepted(altered as Bundle), place.join('.'));
    const { user, system } = process.cpuUsage(start);
    t.ok(user + system < 1_000_000, `${user + system} µs`);
  }
});

test('an attestation as large as the limits allow takes less than a second', async (t) => {
  const large = syntheticNetwork(128, 'large');
  const whole = sampleBundle({ attested: { network: large, laterLedgers: 1_024 } });
  const start = process.cpuUsage();
  t.ok(isProvenByValidators(checkAttestation(whole, [large.publisherKey])));
  const { user, system } = process.cpuUsage(start);
  t.comment(`${Math.round((user + system) / 1_000)} ms`);
  t.ok(user + system < 1_000_000, `${user + system} µs`);
});
