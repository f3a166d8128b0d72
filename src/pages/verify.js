import { acceptDrops } from './accept-drops.js';
import { announce } from './announce.js';
import { byId } from './element.js';
import { readTransactionHash } from './read-transaction-hash.js';
import { Session } from './session.js';
import { showChain } from './show-chain.js';
import { showElsewhere } from './show-elsewhere.js';
import { showItem } from './show-item.js';
import { showStep, showVerdict, verdictTitle } from './show-verdict.js';
import { shownName, text } from './texts.js';

/** @import { Item } from './session.js' */
/** @import { Judgement } from './judge.js' */

const files = /** @type {HTMLInputElement} */ (byId('files'));
const hashField = /** @type {HTMLInputElement} */ (byId('hash'));
const nonceField = /** @type {HTMLInputElement} */ (byId('nonce'));
const result = byId('result');

const session = new Session({ onChange: show, onProgress: showProgress });
/** @type {WeakMap<Item, {update: () => void, percent: number}>} */
const rows = new WeakMap();
/** What was in the field before a certificate filled it. */
let typed = '';
let shownVerdict = '';

files.addEventListener('change', () => {
  session.add(files.files ?? []);
  files.value = '';
});
acceptDrops(byId('drop'), (dropped) => session.add(dropped));
byId('given').addEventListener('submit', (event) => {
  event.preventDefault();
  readHash(true);
  readNonce(true);
});
hashField.addEventListener('input', () => readHash(false));
hashField.addEventListener('change', () => readHash(true));
nonceField.addEventListener('input', () => readNonce(false));
nonceField.addEventListener('change', () => readNonce(true));

/** @param {boolean} isDone Whether what was typed is complete, so that mistakes are told. */
function readHash(isDone) {
  if (hashField.readOnly) return;
  typed = hashField.value;
  const hash = readTransactionHash(typed);
  showMistake(hashField, 'hash-mistake', isDone && hash === null && typed.trim() !== '');
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
  showItems();
  showFields();
  showResult(session.judgement);
}

function showItems() {
  const list = byId('items');
  const isAway = list.contains(document.activeElement);
  list.replaceChildren(
    ...session.items.map((item) => {
      const shown = showItem(item, {
        onRemove: () => session.remove(item),
        onUse: (role) => session.use(item, role),
      });
      rows.set(item, { update: shown.update, percent: rows.get(item)?.percent ?? 0 });
      return shown.row;
    }),
  );
  // What had the focus is gone.
  if (isAway) files.focus();
  list.hidden = session.items.length === 0;
  byId('drop').classList.toggle('drop-small', session.items.length > 0);
}

/** @param {Item} item */
function showProgress(item) {
  const row = rows.get(item);
  if (row === undefined) return;
  row.update();
  const percent = Math.floor((4 * item.doneBytes) / item.file.size) * 25;
  if (percent <= row.percent || percent >= 100) return;
  row.percent = percent;
  announce(text('given.progress', { name: shownName(item.file.name), percent }));
}

function showFields() {
  const { certificate, needsNonce, typedHash } = session;
  hashField.readOnly = certificate !== null;
  const value = certificate?.transactionHash ?? typed;
  if (hashField.value !== value) hashField.value = value;
  if (certificate !== null) showMistake(hashField, 'hash-mistake', false);
  const isReplaced = typedHash !== null && typedHash !== certificate?.transactionHash;
  const filled = isReplaced ? 'verify.hashReplaced' : 'verify.hashFromCertificate';
  byId('hash-hint').textContent = text(certificate ? filled : 'verify.hashHint');
  byId('nonce-field').hidden = !needsNonce;
}

/** @param {Judgement | null} judgement */
function showResult(judgement) {
  const { verification, chain } = session;
  const state = JSON.stringify([judgement, verification, chain]);
  if (state === shownVerdict) return;
  shownVerdict = state;
  if (judgement === null) {
    result.hidden = true;
    return;
  }
  const isInside = result.contains(document.activeElement);
  byId('verdict-place').replaceChildren(showVerdict(judgement, { onRetry: () => session.retry() }));
  byId('steps').replaceChildren(...judgement.steps.map(showStep));
  const onMore = () => session.followOn();
  byId('chain-place').replaceChildren(...(chain ? [showChain(chain, { onMore })] : []));
  const elsewhere = showElsewhere(verification);
  byId('elsewhere').replaceChildren(...elsewhere);
  byId('elsewhere').hidden = elsewhere.length === 0;
  result.hidden = false;
  if (isInside) byId('verdict').focus();
  tell(judgement);
}

let told = '';

/** @param {Judgement} judgement */
function tell({ kind, text: name }) {
  const words = `${text(`kind.${kind}`)}: ${verdictTitle(name)}`;
  // What passes in a moment is not worth a word.
  if (words === told || ['reading', 'asking'].includes(name)) return;
  told = words;
  announce(words);
  if (kind !== 'open') byId('verdict-place').scrollIntoView({ block: 'nearest' });
}

/** Certificates and the ledger's addresses lead to a page that ends in the hash. */
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
