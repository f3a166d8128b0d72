import { announce } from './announce.js';
import { byId, element } from './element.js';
import { text } from './texts.js';

/** @typedef {{ id: string, title: string, method: Element | null, path: string, head: string, text: string, lower: string }} Entry */

const mostShown = 12;

/** Shows the search field, which finds parts of the reference by all of their words. */
export function startSearch() {
  const field = /** @type {HTMLInputElement} */ (byId('wanted'));
  byId('search').hidden = false;
  // A phone or tablet has no key to press.
  if (!matchMedia('(pointer: coarse)').matches) field.placeholder = text('reference.searchByKey');
  /** @type {Entry[] | null} */
  let entries = null;
  const search = () => {
    entries ??= readEntries();
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isSearching = words.length > 0;
    byId('found').hidden = !isSearching;
    byId('contents').hidden = isSearching;
    if (!isSearching) return;
    const found = find(entries, words);
    byId('found').replaceChildren(...show(found, words));
    announce(text('reference.foundCount', { count: found.length }));
  };
  field.addEventListener('input', search);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') firstLink()?.click();
    else if (event.key === 'Escape') field.value = '';
    else if (event.key === 'ArrowDown') firstLink()?.focus();
    else return;
    event.preventDefault();
    if (event.key === 'Escape') search();
  });
  byId('found').addEventListener('keydown', (event) => move(event, field));
  byId('found').addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('a') === null) return;
    field.value = '';
    search();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches('input, textarea, select')) return;
    event.preventDefault();
    field.focus();
  });
}

const firstLink = () => byId('found').querySelector('a');

/**
 * Moves between the found parts by arrow keys.
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} field
 */
function move(event, field) {
  const links = [...byId('found').querySelectorAll('a')];
  const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
  if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus();
  else if (event.key === 'Escape') field.focus();
  else return;
  event.preventDefault();
}

/** @returns {Entry[]} */
function readEntries() {
  return [...document.querySelectorAll('[data-find]')].map((part) => {
    const title = part.getAttribute('data-find') ?? '';
    const words = textOf(part, title);
    const method = part.querySelector(':scope > .line > .method');
    const line = part.querySelector(':scope > .line')?.textContent ?? '';
    return {
      id: part.id,
      title,
      method,
      path: line.replace(method?.textContent ?? '', '').trim(),
      head: `${title} ${part.id} ${line}`.toLowerCase(),
      text: words,
      lower: words.toLowerCase(),
    };
  });
}

/**
 * Text without its title, and without the examples, which repeat the names of the fields.
 * @param {Element} part
 * @param {string} title
 */
function textOf(part, title) {
  /** @type {string[]} */
  const texts = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, {
    acceptNode: (node) =>
      node instanceof Element && node.matches('pre, .samples, .attempts')
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
  });
  while (walker.nextNode()) {
    if (walker.currentNode instanceof Text) texts.push(walker.currentNode.data);
  }
  const whole = texts.join(' ').replace(/\s+/g, ' ').trim();
  return whole.startsWith(title) ? whole.slice(title.length).trim() : whole;
}

/**
 * Parts with all words, those with the words in title or path first.
 *
 * @param {Entry[]} entries
 * @param {string[]} words
 */
function find(entries, words) {
  const inHead = entries.filter(({ head }) => words.every((word) => head.includes(word)));
  const elsewhere = entries.filter(
    (entry) =>
      !inHead.includes(entry) &&
      words.every((word) => entry.head.includes(word) || entry.lower.includes(word)),
  );
  return [...inHead, ...elsewhere];
}

/**
 * @param {Entry[]} found
 * @param {string[]} words
 */
function show(found, words) {
  if (found.length === 0) {
    return [element('p', { class: 'hint' }, text('reference.foundNothing'))];
  }
  const items = found.slice(0, mostShown).map((entry) => {
    const method = entry.method === null ? [] : [entry.method.cloneNode(true), ' '];
    const excerpt = element('span', { class: 'excerpt' }, excerptOf(entry, words));
    return element(
      'li',
      {},
      element('a', { href: `#${entry.id}` }, ...method, entry.title, excerpt),
    );
  });
  const rest = found.length - items.length;
  const more =
    rest > 0 ? [element('p', { class: 'hint' }, text('reference.foundMore', { rest }))] : [];
  return [element('ul', {}, ...items), ...more];
}

/**
 * The text around a word that is not in the title; the path of a call if there is no such word.
 *
 * @param {Entry} entry
 * @param {string[]} words
 */
function excerptOf({ path, head, text: whole, lower }, words) {
  const inText = words.find((word) => !head.includes(word));
  if (inText === undefined && path !== '') return path;
  const at = Math.max(0, lower.indexOf(inText ?? words[0] ?? ''));
  const start = Math.max(0, at - 20);
  return `${start > 0 ? '…' : ''}${whole.slice(start, start + 90).trim()}`;
}
