import { announce } from './announce.js';
import { element } from './element.js';
import { text } from './texts.js';

/** Shows all examples in the language that was chosen for any of them. */
export function followChosenLanguage() {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.name.startsWith('language-')) return;
    const before = target.getBoundingClientRect().top;
    const same = `.samples input[value="${target.value}"]`;
    for (const input of document.querySelectorAll(same)) {
      /** @type {HTMLInputElement} */ (input).checked = true;
    }
    // Other examples change their height, so keep this one in its place.
    scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}

/**
 * Button that copies the visible example. Null if the browser cannot copy, as on pages without TLS.
 *
 * @param {Element} samples
 */
export function copyButton(samples) {
  if (!('clipboard' in navigator)) return null;
  const copy = async () => {
    const chosen = samples.querySelector('input:checked');
    const language = chosen instanceof HTMLInputElement ? chosen.value : 'curl';
    await navigator.clipboard.writeText(
      samples.querySelector(`.sample.${language}`)?.textContent ?? '',
    );
    announce(text('reference.copied'));
  };
  const attributes = { type: 'button', class: 'copy', onclick: () => void copy() };
  return element('button', attributes, text('reference.copy'));
}
