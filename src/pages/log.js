import { isUlid } from '../domain/ulid.ts';
import { announce } from './announce.js';
import { askLeaf } from './ask-log.js';
import { CheckpointList } from './checkpoint-list.js';
import { byId, element } from './element.js';
import { judgeCheckpoint, Roots } from './judge-checkpoint.js';
import { judgeLeaf } from './judge-leaf.js';
import { KeptFocus } from './kept-focus.js';
import { readKnownKeys } from './known-keys.js';
import { Open, showLeaf, showListed, showNewest } from './show-checkpoint.js';
import { showState, stateOf } from './show-log-state.js';
import { text } from './texts.js';

/** @import { LogAnswer } from './ask-log.js' */
/** @import { Wanted } from './judge-leaf.js' */
/** @import { Leaf } from './read-log.js' */
/** @import { ReadKey } from '../verifier/log/note-key.ts' */

const wantedField = /** @type {HTMLInputElement} */ (byId('wanted'));
const keysField = /** @type {HTMLTextAreaElement} */ (byId('keys'));
const open = new Open();
/** Kept for all look-ups, so that a second history is noticed between two of them. */
const roots = new Roots();
const focus = new KeptFocus(['newest', 'found', 'earlier', 'anchored'].map(byId));

/** @type {ReadKey[]} */
let known = [];
/** @type {{wanted: Wanted, answer: LogAnswer<Leaf> | null} | null} */
let looked = null;

const newest = new CheckpointList(false, show);
const anchored = new CheckpointList(true, show);

byId('find').addEventListener('submit', (event) => {
  event.preventDefault();
  const wanted = readWanted(wantedField.value);
  showMistake(wantedField, 'wanted-mistake', wanted === null);
  if (wanted !== null) look(wanted);
});
wantedField.addEventListener('input', () => showMistake(wantedField, 'wanted-mistake', false));
keysField.addEventListener('input', () => readKeys(false));
keysField.addEventListener('change', () => readKeys(true));

/**
 * @param {string} entered
 * @returns {Wanted | null}
 */
function readWanted(entered) {
  const value = entered.trim();
  if (isUlid(value.toUpperCase())) return { proofId: value.toUpperCase() };
  const position = Number(value.replace(/[\s.,'’]/g, ''));
  return /\d/.test(value) && Number.isSafeInteger(position) && position >= 1 && position < 1e15
    ? { position }
    : null;
}

/** @param {Wanted} wanted */
async function look(wanted) {
  const mine = { wanted, answer: null };
  looked = mine;
  show();
  const answer = await askLeaf('proofId' in wanted ? wanted : { leafIndex: wanted.position - 1 });
  // A later question replaces an earlier one.
  if (looked !== mine) return;
  looked = { wanted, answer };
  show();
  const title = byId('found').querySelector('.verdict-title');
  announce(`${byId('found').querySelector('.kind')?.textContent}: ${title?.textContent}`);
  title?.scrollIntoView({ block: 'nearest' });
}

/** @param {boolean} isDone True if typing has ended. Only then mistakes are shown. */
function readKeys(isDone) {
  const { keys, wrong } = readKnownKeys(keysField.value);
  known = keys;
  showMistake(keysField, 'keys-mistake', isDone && wrong !== null);
  if (wrong !== null) byId('keys-mistake').textContent = text('log.keysWrong', { line: wrong });
  show();
}

/**
 * @param {HTMLElement} field
 * @param {string} id
 * @param {boolean} isWrong
 */
function showMistake(field, id, isWrong) {
  if (isWrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
  byId(id).hidden = !isWrong;
}

/** Judges and shows everything anew, since keys that the reader enters change any verdict. */
function show() {
  focus.note();
  const [first, ...earlier] = newest.checkpoints.map((one) => judgeCheckpoint(one, known, roots));
  byId('newest').replaceChildren(first ? showNewest(first, open) : waiting(newest));
  byId('earlier-part').hidden = first === undefined;
  byId('earlier').replaceChildren(...(first ? listed(newest, earlier, 'earlier') : []));
  const judged = anchored.checkpoints.map((one) => judgeCheckpoint(one, known, roots));
  byId('anchored').replaceChildren(...listed(anchored, judged, 'anchored'));
  byId('found').hidden = looked === null;
  if (looked !== null) byId('found').replaceChildren(showLooked(looked));
  focus.restore();
}

/** @param {CheckpointList} list */
function waiting(list) {
  if (list.state === 'asking') return showState('asking');
  const onRetry = () => void list.more();
  if (list.state === 'shown') return showState('empty', { onRetry });
  const { name, values } = stateOf(list.state, 'absentEvent');
  return showState(name, { values, onRetry });
}

/**
 * @param {CheckpointList} list
 * @param {ReturnType<typeof judgeCheckpoint>[]} judged
 * @param {'earlier' | 'anchored'} name
 */
function listed(list, judged, name) {
  const items = judged.map((one) => showListed(one, open, name));
  const shown = items.length > 0 ? [element('ol', { class: 'cards' }, ...items)] : [];
  if (list.state !== 'shown') return [...shown, waiting(list)];
  if (list.hasMore) {
    const more = { type: 'button', class: 'button more', onclick: () => void list.more() };
    return [...shown, element('button', more, text('log.more'))];
  }
  const none = text(name === 'earlier' ? 'log.noneEarlier' : 'log.noneAnchored');
  return items.length > 0 ? shown : [element('p', { class: 'hint' }, none)];
}

/** @param {NonNullable<typeof looked>} of */
function showLooked({ wanted, answer }) {
  if (answer === null) return showState('asking');
  if (answer.found === 'yes') return showLeaf(judgeLeaf(answer.data, wanted, known, roots), open);
  const isProof = 'proofId' in wanted;
  const { name, values } = stateOf(answer, isProof ? 'absentProof' : 'absentEvent');
  const position = isProof ? {} : { position: wanted.position };
  return showState(name, { values: { ...values, ...position }, onRetry: () => void look(wanted) });
}

byId('explorer').hidden = false;
void newest.more();
void anchored.more();
