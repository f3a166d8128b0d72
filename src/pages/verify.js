import { acceptDrops } from './accept-drops.js';
import { announce } from './announce.js';
import { byId } from './element.js';
import { readTransactionHash } from './read-transaction-hash.js';
import { maxItems, Session } from './session.js';
import { Cards } from './show-cards.js';
import { showSummary, summaryTitle } from './show-summary.js';
import { verdictTitle } from './show-verdict.js';
import { shownName, text } from './texts.js';

/** @import { Item } from './reading-queue.js' */

const files = /** @type {HTMLInputElement} */ (byId('files'));
const hashField = /** @type {HTMLInputElement} */ (byId('hash'));
const nonceField = /** @type {HTMLInputElement} */ (byId('nonce'));
const tooMany = byId('too-many');
const startAgain = byId('start-again');

const session = new Session({ onChange: show, onProgress: showProgress });
const cards = new Cards(byId('cards'), {
  onRemove: (item) => session.remove(item),
  onRetry: () => session.retry(),
  onMore: (transactionHash) => session.followOn(transactionHash),
  onOpen: ({ transactionHash }) => {
    const chain = transactionHash === null ? null : session.chainOf(transactionHash);
    if (transactionHash && chain?.links.length === 0) session.followOn(transactionHash);
  },
  onLost: () => files.focus(),
});

files.addEventListener('change', () => {
  add([...(files.files ?? [])]);
  files.value = '';
});
acceptDrops(byId('drop'), add);
byId('given').addEventListener('submit', (event) => {
  event.preventDefault();
  readHash(true);
  readNonce(true);
});
hashField.addEventListener('input', () => readHash(false));
hashField.addEventListener('change', () => readHash(true));
nonceField.addEventListener('input', () => readNonce(false));
nonceField.addEventListener('change', () => readNonce(true));
startAgain.addEventListener('click', () => {
  for (const field of [hashField, nonceField]) field.value = '';
  readHash(true);
  readNonce(true);
  tooMany.hidden = true;
  session.startAgain();
  files.focus();
});

/** @param {File[]} given */
function add(given) {
  const present = session.items.length;
  tooMany.hidden = session.add(given);
  if (tooMany.hidden) return;
  const counts = { most: maxItems, present, given: given.length };
  tooMany.textContent = text(present > 0 ? 'given.tooManyMore' : 'given.tooMany', counts);
  announce(tooMany.textContent);
}

/** @param {boolean} isDone True if typing has ended. Only then mistakes are shown. */
function readHash(isDone) {
  const hash = readTransactionHash(hashField.value);
  showMistake(hashField, 'hash-mistake', isDone && hash === null && hashField.value.trim() !== '');
  if (hash !== session.typedHash) session.setHash(hash);
}

/** @param {boolean} isDone */
function readNonce(isDone) {
  const value = nonceField.value.replace(/\s+/g, '').toLowerCase();
  const nonce = /^[0-9a-f]{64}$/.test(value) ? value : null;
  showMistake(nonceField, 'nonce-mistake', isDone && nonce === null && value !== '');
  if (nonce !== session.typedNonce) session.setNonce(nonce);
}

/**
 * @param {HTMLInputElement} field
 * @param {string} id
 * @param {boolean} isWrong
 */
function showMistake(field, id, isWrong) {
  if (isWrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
  byId(id).hidden = !isWrong;
}

function show() {
  const { summary } = session;
  byId('drop').classList.toggle('drop-small', session.items.length > 0);
  byId('nonce-field').hidden = !session.needsNonce;
  startAgain.hidden = session.items.length === 0 && session.typedHash === null;
  byId('summary').replaceChildren(...(summary ? [showSummary(summary)] : []));
  cards.show(session.cards, (transactionHash) => session.chainOf(transactionHash));
  byId('result').hidden = session.cards.length === 0;
  announceOutcome();
}

let announced = '';

function announceOutcome() {
  const { summary, cards: each } = session;
  const [only] = each;
  if (only === undefined) return;
  const { kind, text: name } = summary ?? only.judgement;
  // Do not announce transient states.
  if (['reading', 'asking', 'busy'].includes(name)) return;
  const title = summary ? summaryTitle(summary) : verdictTitle(only.judgement);
  const words = `${text(`kind.${kind}`)}: ${title}`;
  if (words === announced) return;
  announced = words;
  announce(words);
  if (kind !== 'open') byId('result').firstElementChild?.scrollIntoView({ block: 'nearest' });
}

/** @type {WeakMap<Item, number>} */
const percents = new WeakMap();

/** @param {Item} item */
function showProgress(item) {
  cards.update(item);
  const percent = Math.floor((4 * item.doneBytes) / item.file.size) * 25;
  if (percent <= (percents.get(item) ?? 0) || percent >= 100) return;
  percents.set(item, percent);
  announce(text('given.progress', { name: shownName(item.file.name), percent }));
}

/** Transaction hash at the end of this page's URL, as in the links of certificates. */
const [, inAddress] = /\/verify\/([^/]+)$/.exec(location.pathname) ?? [];
if (inAddress !== undefined) {
  hashField.value = safeDecode(inAddress);
  readHash(true);
}

/** @param {string} part */
function safeDecode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

byId('given').hidden = false;
