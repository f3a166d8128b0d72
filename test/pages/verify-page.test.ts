import { test } from 'tap';
import { noChromium } from '../support/chromium.ts';
import { startPageSite } from '../support/page-site.ts';
import { certificatesInBrowser } from './browser/certificates.ts';
import { claimsInBrowser } from './browser/claims.ts';
import { hostileInBrowser } from './browser/hostile.ts';
import { independentInBrowser } from './browser/independent.ts';
import { issuedInBrowser } from './browser/issued.ts';
import { ledgersInBrowser } from './browser/ledgers.ts';
import { matchingInBrowser } from './browser/matching.ts';
import { verdictsInBrowser } from './browser/verdicts.ts';
import { verifierInBrowser } from './browser/verifier.ts';

if (noChromium) console.error(noChromium);

/** One browser and one service for all parts, since starting them takes longest. */
test('the page /verify judges in a real browser', { skip: noChromium }, async (t) => {
  const site = await startPageSite(t);
  for (const part of [
    verdictsInBrowser,
    verifierInBrowser,
    independentInBrowser,
    issuedInBrowser,
    hostileInBrowser,
    claimsInBrowser,
    certificatesInBrowser,
    ledgersInBrowser,
    matchingInBrowser,
  ]) {
    await part(t, site);
  }
});
