/** Adds search, a shared choice of language, copying and calls to the reference. */
import { element } from './element.js';
import { copyButton, followChosenLanguage } from './reference-samples.js';
import { startSearch } from './reference-search.js';
import { offerCall } from './try-call.js';

/** @import { Sendable } from './sendable.ts' */

/** @type {Record<string, Sendable>} */
const calls = JSON.parse(document.getElementById('calls')?.textContent ?? '{}');

followChosenLanguage();
for (const samples of document.querySelectorAll('.samples')) {
  const button = copyButton(samples);
  if (button !== null) samples.append(button);
}
for (const [id, call] of Object.entries(calls)) {
  const place = document.querySelector(`#${id} .beside-it`);
  if (place !== null) place.append(element('div', { class: 'attempts' }, offerCall(id, call)));
}
startSearch();
openContents();
markCurrent();
openForPrint();
goToOldAnchor();
addEventListener('hashchange', goToOldAnchor);

/** Opens the contents if there is room beside the text. */
function openContents() {
  const contents = /** @type {HTMLDetailsElement} */ (document.getElementById('contents'));
  const isWide = matchMedia('(min-width: 62rem)');
  contents.open = isWide.matches;
  isWide.addEventListener('change', () => {
    contents.open = isWide.matches;
  });
  contents.addEventListener('click', (event) => {
    const isLink = event.target instanceof Element && event.target.closest('a') !== null;
    if (isLink && !isWide.matches) contents.open = false;
  });
}

/** Marks the part in view in the contents. */
function markCurrent() {
  const parts = [...document.querySelectorAll('.part-of, .call')];
  /** @type {Element | null} */
  let current = null;
  let isPlanned = false;
  const mark = () => {
    isPlanned = false;
    const part = parts.findLast((each) => each.getBoundingClientRect().top < innerHeight / 5);
    const link = part ? document.querySelector(`.contents a[href="#${part.id}"]`) : null;
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'true');
    current = link;
    keepInView(link);
  };
  const plan = () => {
    if (!isPlanned) requestAnimationFrame(mark);
    isPlanned = true;
  };
  addEventListener('scroll', plan, { passive: true });
  addEventListener('resize', plan);
  plan();
}

/** @param {Element | null} link */
function keepInView(link) {
  const side = document.querySelector('.side');
  if (link === null || side === null || side.scrollHeight <= side.clientHeight) return;
  const { top, bottom } = link.getBoundingClientRect();
  if (top < 60 || bottom > innerHeight - 20) {
    side.scrollTop += top - innerHeight / 2;
  }
}

/** Opens everything for printing, and closes it again. */
function openForPrint() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details')].filter(({ open }) => !open);
    for (const each of opened) each.open = true;
  });
  addEventListener('afterprint', () => {
    for (const each of opened) each.open = false;
  });
}

/** Follows addresses of an earlier reference, such as `#/Proofs/createProof`. */
function goToOldAnchor() {
  const id = /^#\/[^/]+\/(\w+)$/.exec(decodeURI(location.hash))?.[1];
  if (id !== undefined && document.getElementById(id) !== null) location.replace(`#${id}`);
}
