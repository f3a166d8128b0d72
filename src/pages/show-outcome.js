import { announce } from './announce.js';
import { byId } from './element.js';
import { summaryKind, summaryTitle } from './show-summary.js';
import { verdictKind, verdictTitle } from './show-verdict.js';
import { text } from './texts.js';

/** @import { Item } from './given-file.ts' */
/** @import { Session } from './session.js' */
/** @import { Card } from './verdict.ts' */

const bar = /** @type {HTMLProgressElement} */ (byId('overall-bar'));

/**
 * Shows everything around the cards that follows from them: the answer of the named server, the
 * progress, the table, and the announcement for screen readers.
 *
 * @param {Session} session
 */
export function showOutcome(session) {
  showServerOutcome(session.cards);
  showOverall(session);
  showTable(session);
  announceOutcome(session);
}

/**
 * The worst answer of the named server, beside the field in which it was named.
 * @param {readonly Card[]} cards
 */
function showServerOutcome(cards) {
  const place = byId('server-outcome');
  const steps = cards.flatMap(({ judgement }) => judgement.steps);
  const ofServer = steps.filter(({ name }) => name === 'server');
  const worst = ['failed', 'unknown', 'open', 'ok'].flatMap((status) =>
    ofServer.filter((step) => step.status === status),
  )[0];
  place.hidden = worst === undefined;
  if (worst === undefined) return;
  place.className = ['failed', 'unknown'].includes(worst.status) ? 'mistake' : 'hint';
  const words = text(`outcome.${worst.text}`, worst.with);
  if (place.textContent !== words) place.textContent = words;
}

/** A table from this number of verdicts on. */
const tableFrom = 4;

/** @param {Session} session */
async function showTable(session) {
  const place = byId('table');
  if (session.cards.length < tableFrom) {
    place.replaceChildren();
    return;
  }
  // Many verdicts change while files are read.
  if (session.summary?.text === 'busy') {
    dropRows(place, session.cards);
    return;
  }
  const loaded = await import('./show-table.js').catch(() => null);
  const isWanted = loaded !== null && session.cards.length >= tableFrom;
  const focused = place.contains(document.activeElement)
    ? document.activeElement?.getAttribute('href')
    : null;
  place.replaceChildren(...(isWanted ? [loaded.showTable(session.cards)] : []));
  const same = focused ? place.querySelector(`a[href="${focused}"]`) : null;
  if (same instanceof HTMLElement) same.focus();
}

/**
 * Removes the rows of verdicts that are no longer there.
 *
 * @param {HTMLElement} place
 * @param {readonly Card[]} cards
 */
function dropRows(place, cards) {
  const links = new Set(cards.map(({ key }) => `#card-${key}`));
  for (const row of place.querySelectorAll('tbody tr')) {
    const link = row.querySelector('a[href]')?.getAttribute('href') ?? '';
    if (!links.has(link)) row.remove();
  }
}

/**
 * Shows the progress of reading all files, if there are several.
 * @param {Session} session
 */
export function showOverall({ items }) {
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

/** @param {Session} session */
function announceOutcome({ summary, cards: each }) {
  const [only] = each;
  if (only === undefined) {
    announced = '';
    return;
  }
  const { kind, text: name } = summary ?? only.judgement;
  // Do not announce transient states.
  if (['reading', 'asking', 'busy'].includes(name)) return;
  const title = summary ? summaryTitle(summary) : verdictTitle(only.judgement);
  const label = summary ? summaryKind(summary) : verdictKind(only.judgement);
  const words = `${label}: ${title}`;
  if (words === announced) return;
  announced = words;
  announce(words);
  if (kind !== 'open')
    byId('result').querySelector('.verdict')?.scrollIntoView({ block: 'nearest' });
}
