import { acceptDrops } from './accept-drops.js';
import { announce } from './announce.js';
import { byId } from './element.js';
import { loadAhead } from './load-ahead.js';
import { readTransactionHash } from './read-transaction-hash.js';
import { readKeys } from './reader.js';
import { maxItems, Session } from './session.js';
import { Cards } from './show-cards.js';
import { showOutcome, showOverall } from './show-outcome.js';
import { showSummary } from './show-summary.js';
import { isRecordAlone } from './show-verdict.js';
import { shownName, text } from './texts.js';

/** @import { Item } from './given-file.ts' */

const files = /** @type {HTMLInputElement} */ (byId('files'));
const hashField = /** @type {HTMLInputElement} */ (byId('hash'));
const nonceField = /** @type {HTMLInputElement} */ (byId('nonce'));
const folderField = /** @type {HTMLInputElement} */ (byId('folder'));
const serverField = /** @type {HTMLInputElement} */ (byId('server'));
const keysField = /** @type {HTMLTextAreaElement} */ (byId('keys'));
const notAdded = byId('not-added');
const startAgain = byId('start-again');

/** Input and verdicts of this page. */
export const session = new Session({ onChange: show, onProgress: showProgress });
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
byId('choose-folder').hidden = !('webkitdirectory' in folderField);
byId('choose-folder').addEventListener('click', () => folderField.click());
folderField.addEventListener('change', () => {
  const chosen = [...(folderField.files ?? [])];
  folderField.value = '';
  readFolder(({ chosenFiles }) => chosenFiles(chosen));
});
acceptDrops(byId('drop'), add, (entries) => {
  readFolder(({ filesIn }) => filesIn(entries, maxItems + 1));
});
addEventListener('load', () => {
  loadAhead();
  import('./print-head.js').then(
    ({ preparePrinting }) => preparePrinting(() => session.checkedAt),
    () => {}, // without connection; the page prints without its head
  );
});
byId('print').addEventListener('click', () => print());
byId('save-html').addEventListener('click', () => save('html'));
byId('save-json').addEventListener('click', () => save('json'));
byId('server-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const isNone = serverField.value.trim() === '';
  const asking = session.setServer(isNone ? null : serverField.value);
  const isAsked = await asking.catch(() => 'missing');
  const mistake = isAsked === 'missing' ? 'verify.partMissing' : 'verify.serverWrong';
  byId('server-mistake').textContent = text(mistake);
  showMistake(serverField, 'server-mistake', isAsked !== true);
});
keysField.addEventListener('change', async () => {
  const entered = keysField.value;
  session.setKeys(entered);
  const mistake = await mistakeIn(entered);
  if (keysField.value !== entered) return;
  byId('keys-mistake').textContent = mistake;
  showMistake(keysField, 'keys-mistake', mistake !== '');
});
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
  notAdded.hidden = true;
  session.startAgain();
  files.focus();
});

/**
 * The mistake in entered keys as a sentence; empty without one.
 * @param {string} entered
 */
async function mistakeIn(entered) {
  const read = await readKeys(entered).catch(() => null);
  if (read === null) return text('verify.partMissing');
  const { wrong, mistake } = read;
  if (wrong !== null) return text('verify.keysWrong', { line: wrong });
  return mistake === null ? '' : text('verify.policyWrong', { mistake });
}

/** @typedef {Awaited<ReturnType<typeof import('./folder-files.js').filesIn>>} Folder */

/** @param {(part: typeof import('./folder-files.js')) => Folder | Promise<Folder>} read */
async function readFolder(read) {
  const part = await import('./folder-files.js').catch(() => null);
  if (part === null) showNotAdded(text('given.folderPartMissing'));
  else addFolder(await read(part), part.maxEntries);
}

/**
 * @param {Folder} folder
 * @param {number} maxEntries
 */
function addFolder({ files: given, folderOf, isWhole, isTooLarge }, maxEntries) {
  if (isTooLarge) {
    showNotAdded(text('given.folderTooMany', { most: maxEntries }));
    return;
  }
  if (given.length > maxItems) {
    // Reading ends after so many files, so their number is not known.
    showNotAdded(text('given.folderTooLarge', { most: maxItems }));
    return;
  }
  if (!add(given, folderOf)) return;
  if (!isWhole) showNotAdded(text('given.folderUnread'));
  else if (given.length === 0) showNotAdded(text('given.folderEmpty'));
}

/**
 * Adds all files, or says why none was added.
 *
 * @param {File[]} given
 * @param {(file: File) => string} [folderOf]
 * @returns {boolean} True if they were added.
 */
function add(given, folderOf) {
  const present = session.items.length;
  const isAdded = session.add(given, folderOf);
  notAdded.hidden = true;
  if (isAdded) return true;
  const counts = { most: maxItems, present, given: given.length };
  showNotAdded(text(present > 0 ? 'given.tooManyMore' : 'given.tooMany', counts));
  return false;
}

/**
 * Says that files or a part of them were not added.
 * @param {string} words
 */
function showNotAdded(words) {
  notAdded.textContent = words;
  notAdded.hidden = false;
  announce(words);
}

/**
 * The report is loaded when somebody wants one.
 * @param {'html' | 'json'} form
 */
async function save(form) {
  const failed = byId('save-failed');
  try {
    const { makeReport, saveReport } = await import('./report.js');
    saveReport(makeReport(session), form);
    failed.hidden = true;
  } catch {
    failed.hidden = false;
    announce(String(failed.textContent));
  }
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
 * @param {HTMLInputElement | HTMLTextAreaElement} field
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
  byId('nonce-field').hidden = !session.needsNonce;
  startAgain.hidden = session.items.length === 0 && session.typedHash === null;
  byId('summary').replaceChildren(...(summary ? [showSummary(summary)] : []));
  cards.show(session.cards, (transactionHash) => session.chainOf(transactionHash));
  byId('result').hidden = session.cards.length === 0;
  byId('after').hidden = session.cards.length === 0;
  byId('tools').hidden = session.cards.every(
    ({ judgement }) => unreported.includes(judgement.text) || isRecordAlone(judgement),
  );
  showOutcome(session);
}

/** Verdicts that have nothing to report: nothing was checked yet. */
const unreported = ['reading', 'asking', 'needsTransaction'];

/** @type {WeakMap<Item, number>} */
const percents = new WeakMap();

/** @param {Item} item */
function showProgress(item) {
  cards.update(item);
  showOverall(session);
  if (session.items.length > 3) return; // too many words to listen to
  const percent = Math.floor((4 * item.doneBytes) / item.file.size) * 25;
  if (percent <= (percents.get(item) ?? 0) || percent >= 100) return;
  percents.set(item, percent);
  announce(text('given.progress', { name: shownName(item.file.name), percent }));
}

/** Transaction hash at the end of this page's URL, as in the links of certificates. */
const [, inAddress] = /\/verify\/([^/]+)$/.exec(location.pathname) ?? [];
if (inAddress !== undefined) {
  // The transaction is shown before the question for its file.
  byId('given').before(byId('result'));
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

byId('given').inert = false;
