import './verify.js';
import { byId } from './element.js';
import { fetchFile, giveFiles } from './give-files.js';

/**
 * Gives the shared bundle to the verifier of this page, as if the reader had chosen it. The service
 * is not believed: the browser verifies the bundle like any other certificate.
 */
async function giveBundle() {
  const { href } = /** @type {HTMLLinkElement} */ (byId('bundle'));
  giveFiles([await fetchFile(href, 'shared-proof.json')]);
}

giveBundle().catch(() => {
  byId('bundle-missing').hidden = false;
});
