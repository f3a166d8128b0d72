import { acceptDrops } from './accept-drops.js';
import { announce } from './announce.js';
import { byId } from './element.js';
import { readTransactionHash } from './read-transaction-hash.js';
import { maxItems, Session } from './session.js';
import { Cards } from './show-cards.js';
import { showSummary, summaryTitle } from './show-summary.js';
import { verdictKind, verdictTitle } from './show-verdict.js';
import { shownName, text } from './texts.js';

/** @import { Item } from './reading-queue.js' */

const files = /** @type {HTMLInputElement} */ (byId('files'));
const hashField = /** @type {HTMLInputElement} */ (byId('hash'));
const nonceField = /** @type {HTMLInputElement} */ (byId('nonce'));
const folderField = /** @type {HTMLInputElement} */ (byId('folder'));
const serverField = /** @type {HTMLInputElement} */ (byId('server'));
const keysField = /** @type {HTMLTextAreaElement} */ (byId('keys'));
const tooMany = byId('too-many');
const startAgain = byId('start-again');

const bar = /** @type {HTMLProgressElement} */ (byId('overall-bar'));

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
folderField.addEventListener('change', async () => {
  const chosen = [...(folderField.files ?? [])];
  folderField.value = '';
  addFolder((await import('./folder-files.js')).chosenFiles(chosen));
});
acceptDrops(byId('drop'), add, async (entries) => {
  const { filesIn } = await import('./folder-files.js');
  addFolder(await filesIn(entries, maxItems + 1));
});
addEventListener('load', () => {
  import('./print-head.js').then(
    ({ preparePrinting }) => preparePrinting(),
    () => {}, // without connection; the page prints without its head
  );
});
byId('print').addEventListener('click', () => print());
byId('save-html').addEventListener('click', () => save('html'));
byId('save-json').addEventListener('click', () => save('json'));
byId('server-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const isNone = serverField.value.trim() === '';
  const isAsked = await session.setServer(isNone ? null : serverField.value);
  showMistake(serverField, 'server-mistake', !isAsked);
});
keysField.addEventListener('change', async () => {
  const { readKnownKeys } = await import('./known-keys.js');
  const { wrong, mistake } = readKnownKeys(keysField.value);
  byId('keys-mistake').textContent =
    wrong === null
      ? text('verify.policyWrong', { mistake: mistake ?? '' })
      : text('verify.keysWrong', { line: wrong });
  showMistake(keysField, 'keys-mistake', wrong !== null || mistake !== null);
  session.setKeys(keysField.value);
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
  tooMany.hidden = true;
  session.startAgain();
  files.focus();
});

/** @param {{files: File[], folderOf: (file: File) => string, isWhole: boolean}} folder */
function addFolder({ files: given, folderOf, isWhole }) {
  add(given, folderOf);
  if (!tooMany.hidden || (isWhole && given.length > 0)) return;
  tooMany.textContent = text(isWhole ? 'given.folderEmpty' : 'given.folderUnread');
  tooMany.hidden = false;
  announce(tooMany.textContent);
}

/**
 * @param {File[]} given
 * @param {(file: File) => string} [folderOf]
 */
function add(given, folderOf) {
  const present = session.items.length;
  tooMany.hidden = session.add(given, folderOf);
  if (tooMany.hidden) return;
  const counts = { most: maxItems, present, given: given.length };
  tooMany.textContent = text(present > 0 ? 'given.tooManyMore' : 'given.tooMany', counts);
  announce(tooMany.textContent);
}

/**
 * The report is loaded when somebody wants one.
 * @param {'html' | 'json'} form
 */
async function save(form) {
  const failed = byId('save-failed');
  try {
    const { makeReport, saveReport } = await import('./report.js');
    const { summary, server, cards: each } = session;
    saveReport(makeReport(each, { summary, server }), form);
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
  byId('tools').hidden = session.cards.every(({ judgement }) =>
    unreported.includes(judgement.text),
  );
  showOverall();
  showTable();
  announceOutcome();
}

/** Verdicts that have nothing to report: nothing was checked yet. */
const unreported = ['reading', 'asking', 'needsTransaction'];

/** A table from this number of verdicts on. */
const tableFrom = 4;

async function showTable() {
  const place = byId('table');
  if (session.cards.length < tableFrom) {
    place.replaceChildren();
    return;
  }
  // Many verdicts change while files are read.
  if (session.summary?.text === 'busy') return;
  const loaded = await import('./show-table.js').catch(() => null);
  const isWanted = loaded !== null && session.cards.length >= tableFrom;
  const focused = place.contains(document.activeElement)
    ? document.activeElement?.getAttribute('href')
    : null;
  place.replaceChildren(...(isWanted ? [loaded.showTable(session.cards)] : []));
  const same = focused ? place.querySelector(`a[href="${focused}"]`) : null;
  if (same instanceof HTMLElement) same.focus();
}

/** Progress of reading all files, if there are several. */
function showOverall() {
  const { items } = session;
  const done = items.filter(({ status }) => status === 'read' || status === 'unread').length;
  byId('overall').hidden = items.length < 2 || done === items.length;
  if (byId('overall').hidden) return;
  const all = items.reduce((sum, { file }) => sum + file.size, 0);
  const read = items.reduce((sum, item) => sum + bytesRead(item), 0);
  byId('overall-words').textContent = text('verify.readSoFar', { done, all: items.length });
  bar.value = all === 0 ? 0 : read / all;
}

/** @param {Item} item */
function bytesRead({ status, file, doneBytes }) {
  return status === 'read' || status === 'unread' ? file.size : doneBytes;
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
  const label = summary ? text(`kind.${kind}`) : verdictKind(only.judgement);
  const words = `${label}: ${title}`;
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
  showOverall();
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
