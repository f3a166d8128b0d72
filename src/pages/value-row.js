import { announce } from './announce.js';
import { element } from './element.js';
import { shownName, text } from './texts.js';

const shownForMs = 2_000;

/**
 * @typedef {object} ShownValue
 * @property {string} name
 * @property {string} value
 * @property {string} [brief] Beginning of a very long value, which is shown in its place.
 */

/**
 * A complete technical value with its name and a button to copy it.
 * @param {ShownValue} shown
 */
export function valueRow({ name, value, brief }) {
  const label = text(`value.${name}`);
  // A name in it may be of a script that is written from right to left.
  const code = element('code', { dir: 'ltr' }, shownName(brief ?? value));
  const button = element('button', { type: 'button', class: 'copy' });
  const show = (/** @type {string} */ words) => {
    button.textContent = words;
    button.setAttribute('aria-label', `${words}: ${label}`);
  };
  show(text('value.copy'));
  button.addEventListener('click', async () => {
    const isCopied = await copy(value, code);
    announce(text(isCopied ? 'value.copied' : 'value.notCopied'));
    if (!isCopied) return;
    show(text('value.copied'));
    setTimeout(() => show(text('value.copy')), shownForMs);
  });
  return element(
    'div',
    { class: 'value' },
    element('dt', {}, label),
    element('dd', {}, code, button),
  );
}

/**
 * Copies the value. Without a clipboard, as on pages without TLS, at least selects the value.
 * @param {string} value
 * @param {HTMLElement} shown
 */
async function copy(value, shown) {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    shown.textContent = value;
    getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}
