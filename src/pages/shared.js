import { byId } from './element.js';
import { fetchFile, giveFiles } from './give-files.js';
import { shownName, text } from './texts.js';
import { session } from './verify.js';

/** Name of the shared proof among the files of this page. */
const bundleName = 'shared-proof.json';

/**
 * Gives the shared bundle to the verifier of this page, as if the reader had chosen it. The service
 * is not believed: the browser verifies the bundle like any other certificate.
 */
async function giveBundle() {
  const { href } = /** @type {HTMLLinkElement} */ (byId('bundle'));
  giveFiles([await fetchFile(href, bundleName)]);
}

giveBundle().catch(() => {
  byId('bundle-missing').hidden = false;
});

new MutationObserver(showIssuer).observe(byId('cards'), { childList: true, subtree: true });

/** Shows the issuer as the bundle's signature states it, beside the statement of the service. */
function showIssuer() {
  const shared = session.cards.find(({ certificate }) => certificate?.file.name === bundleName);
  const certificate = shared?.certificate?.read?.certificate;
  // Signatures are verified after the bundle is read.
  if (!certificate || !shared.judgement.steps.some(({ name }) => name === 'txSignature')) return;
  const signed = shared.judgement.steps.find(({ name }) => name === 'issuer');
  const name = shownName(certificate.organisationName);
  const place = byId('issuer-signed');
  if (signed === undefined) place.textContent = text('issuer.none');
  else if (signed.status === 'ok') place.textContent = text('issuer.holds', { name });
  else if (signed.status === 'failed') place.textContent = text('issuer.fails');
  else place.textContent = text('issuer.unknown', { name });
}
