import './verify.js';
import { byId } from './element.js';

/**
 * Gives the shared bundle to the verifier of this page, as if the reader had chosen it. The service
 * is not believed: the browser verifies the bundle like any other certificate.
 */
async function giveBundle() {
  const { href } = /** @type {HTMLLinkElement} */ (byId('bundle'));
  const response = await fetch(href, { credentials: 'omit', redirect: 'error' });
  if (!response.ok) throw new Error(`the bundle is answered with ${response.status}`);
  const files = /** @type {HTMLInputElement} */ (byId('files'));
  const transfer = new DataTransfer();
  const bundle = await response.blob();
  transfer.items.add(new File([bundle], 'shared-proof.json', { type: 'application/json' }));
  files.files = transfer.files;
  files.dispatchEvent(new Event('change'));
}

giveBundle().catch(() => {
  byId('bundle-missing').hidden = false;
});
