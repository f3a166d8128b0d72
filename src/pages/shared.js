import { byId } from './element.js';
import { fetchFile, NotServed } from './give-files.js';
import { writeReadersTimes } from './readers-times.js';
import { RetryLater } from './retry-later.js';
import { shownName, text } from './texts.js';
import { session } from './verify.js';

/** @import { Item } from './given-file.ts' */

writeReadersTimes();

/** Name of the shared proof among the files of this page. */
const bundleName = 'shared-proof.json';

/** The shared bundle, once it is loaded. @type {File | null} */
let bundle = null;
/** The shared proof, whose name a file of the reader may have too. @type {Item | null} */
let given = null;

const missing = byId('bundle-missing');
const signed = byId('issuer-signed');
const later = new RetryLater(load);

/** Loads the bundle, and tries again after an outage. A withdrawn link ends that. */
async function load() {
  const { href } = /** @type {HTMLLinkElement} */ (byId('bundle'));
  try {
    bundle = await fetchFile(href, bundleName);
    later.plan({ isNeeded: false, isSettled: true, seconds: 0 });
    missing.hidden = true;
    giveBundle();
  } catch (error) {
    const isWithdrawn = error instanceof NotServed && error.status === 410;
    if (isWithdrawn) missing.textContent = text('issuer.withdrawn');
    missing.hidden = false;
    signed.textContent = text('issuer.missing');
    const seconds = error instanceof NotServed ? error.seconds : 0;
    later.plan({ isNeeded: !isWithdrawn, isSettled: false, seconds });
  }
}

/**
 * Gives the shared bundle to the verifier of this page, also after the reader removed it: this page is
 * about it. The service is not believed: the browser verifies the bundle like any other certificate.
 */
function giveBundle() {
  const isGiven = given !== null && session.items.includes(given);
  if (bundle === null || isGiven || !session.add([bundle])) return;
  given = session.items.at(-1) ?? null;
}

/** Shows the issuer as the bundle's signature states it, beside the statement of the service. */
function showIssuer() {
  if (given?.read && given.read.certificate === null) signed.textContent = text('issuer.missing');
  const shared = session.cards.find(
    ({ certificate }) => certificate !== null && certificate === given,
  );
  const certificate = shared?.certificate?.read?.certificate;
  // Signatures are verified after the bundle is read.
  if (!certificate || !shared.judgement.steps.some(({ name }) => name === 'txSignature')) return;
  const status = shared.judgement.steps.find(({ name }) => name === 'issuer')?.status;
  const name = shownName(certificate.organisationName);
  signed.textContent = text(textFor(status), { name });
}

/** @param {string | undefined} status Of the issuer's signature; undefined without one. */
function textFor(status) {
  if (status === undefined) return 'issuer.none';
  if (status === 'ok') return 'issuer.holds';
  if (status === 'stated') return 'issuer.stated';
  return status === 'failed' ? 'issuer.fails' : 'issuer.unknown';
}

new MutationObserver(() => {
  giveBundle();
  showIssuer();
}).observe(byId('cards'), { childList: true, subtree: true });
load();
