import { type Html, html } from './html.ts';

/** A text that is shown once, with a button that copies it. The page also needs `copiedState`, once. */
export function shownSecret(id: string, label: string, text: string, button: string): Html {
  return html`<div class="secret"><pre id="${id}" tabindex="0" role="region" aria-label="${label}">${text}</pre>
      <button type="button" class="plain" data-copies="${id}" data-done="Copied" hidden>${button}</button></div>`;
}

/** Place in which the page says that a text was copied. */
export const copiedState: Html = html`<p id="state" class="unseen" role="status"></p>`;
