import { test } from 'tap';
import { noChromium } from '../support/chromium.ts';
import { startPageSite } from '../support/page-site.ts';
import { logInBrowser } from './browser/log.ts';
import { manyInBrowser } from './browser/many.ts';
import { offlineInBrowser } from './browser/offline.ts';
import { policiesInBrowser } from './browser/policies.ts';
import { readingInBrowser } from './browser/reading.ts';
import { referenceInBrowser } from './browser/reference.ts';
import { sampleInBrowser } from './browser/sample.ts';
import { sharedInBrowser } from './browser/shared.ts';
import { unreadableInBrowser } from './browser/unreadable.ts';
import { usingInBrowser } from './browser/using.ts';

if (noChromium) console.error(noChromium);

/** One browser and one service for all parts, since starting them takes longest. */
test('the pages work in a real browser', { skip: noChromium }, async (t) => {
  const site = await startPageSite(t);
  for (const part of [
    manyInBrowser,
    offlineInBrowser,
    unreadableInBrowser,
    policiesInBrowser,
    usingInBrowser,
    readingInBrowser,
    referenceInBrowser,
    sampleInBrowser,
    sharedInBrowser,
    logInBrowser,
  ]) {
    await part(t, site);
  }
});
