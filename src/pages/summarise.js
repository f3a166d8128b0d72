import { limitsOfAll } from './certificate-steps.js';

/** @import { Item } from './given-file.ts' */
/** @import { Card, Kind } from './verdict.ts' */

/**
 * The overall outcome.
 *
 * @typedef {object} Summary
 * @property {Kind} kind
 * @property {string} text Key of the summary's text.
 * @property {{all: number, proven: number, stated: number}} values Values for the text.
 * @property {{name: string, count: number}[]} counts Counts by outcome, without zeros.
 * @property {string[]} limits Keys of texts on what the verdicts leave open.
 */

/**
 * Summarises verdicts: proven only if every verdict is. Returns null for fewer than two verdicts.
 *
 * @param {readonly Card[]} cards
 * @returns {Summary | null}
 */
export function summarise(cards) {
  if (cards.length < 2) return null;
  const proven = filesIn(cards, ({ kind }) => kind === 'proven');
  const trial = [...filesIn(cards, (each) => each.kind === 'trial' && !isEarlier(each))].filter(
    (file) => !proven.has(file),
  );
  const stated = filesIn(cards, isStated);
  for (const file of proven) stated.delete(file);
  const all = filesIn(cards, () => true);
  const counts = Object.entries({
    proven: proven.size,
    testnet: filesIn(cards, ({ text }) => text === 'provenTestnet').size,
    stated: stated.size,
    trial: trial.length,
    earlier: countOf(cards, isEarlier),
    unmatched: countOf(cards, ({ text }) => unmatched.includes(text)),
    disproven: countOf(
      cards,
      ({ kind, text }) => kind === 'disproven' && !unmatched.includes(text),
    ),
    fileMissing: countOf(cards, ({ text }) => fileMissing.includes(text)),
    unknown: countOf(cards, ({ kind }) => kind === 'unknown'),
    open: countOf(cards, ({ kind, text }) => kind === 'open' && !fileMissing.includes(text)),
  });
  return {
    ...outcomeOf(cards, { all: all.size, proven: proven.size, stated: stated.size }),
    values: { all: all.size, proven: proven.size, stated: stated.size },
    limits: limitsOfAll(cards, { proven: proven.size, stated: stated.size }),
    counts: counts.flatMap(([name, count]) => (count > 0 ? [{ name, count }] : [])),
  };
}

/** @type {Test} */
const isStated = (judgement) =>
  judgement.kind === 'partial' && judgement.basis === 'service' && !isEarlier(judgement);
/** @type {Test} */
const isEarlier = ({ text }) => text.startsWith('earlierRevision');
const unmatched = ['noCertificate', 'nothingBelongs'];
const fileMissing = [
  'needsFile',
  'needsFileToo',
  'recorded',
  'recordedTestnet',
  'recordedStandalone',
  'recordedByServer',
  'recordedByServerTestnet',
  'fileNotGiven',
  'fileNotGivenToo',
  'earlierGiven',
];

/** @typedef {(judgement: Card['judgement']) => boolean} Test */

/**
 * @param {readonly Card[]} cards
 * @param {Test} test
 * @returns {Set<Item>}
 */
function filesIn(cards, test) {
  return new Set(cards.filter(({ judgement }) => test(judgement)).flatMap(({ files }) => files));
}

/**
 * @param {readonly Card[]} cards
 * @param {Test} test
 */
function countOf(cards, test) {
  return cards.filter(({ judgement }) => test(judgement)).length;
}

/**
 * @param {readonly Card[]} cards
 * @param {{all: number, proven: number, stated: number}} files
 * @returns {Pick<Summary, 'kind' | 'text'>}
 */
function outcomeOf(cards, { all, proven, stated }) {
  const has = (/** @type {Test} */ test) => countOf(cards, test) > 0;
  const isEach = (/** @type {Kind} */ kind) =>
    countOf(cards, (each) => each.kind === kind) === cards.length;
  if (has(({ text }) => text === 'reading' || text === 'asking'))
    return { kind: 'open', text: 'busy' };
  if (isEach('proven')) return { kind: 'proven', text: all === 1 ? 'oneProven' : 'allProven' };
  if (proven > 0) return { kind: 'partial', text: proven === all ? 'filesProven' : 'someProven' };
  if (stated > 0) {
    const isEach = cards.every(({ judgement }) => isStated(judgement));
    return { kind: 'partial', text: isEach ? 'allStated' : 'someStated' };
  }
  if (has(({ kind }) => kind === 'disproven')) return { kind: 'disproven', text: 'noneProven' };
  if (has(({ kind }) => kind === 'partial')) return { kind: 'partial', text: 'earlierOnly' };
  if (has(({ kind }) => kind === 'unknown')) return { kind: 'unknown', text: 'notChecked' };
  if (has((each) => each.kind === 'trial' && !isEarlier(each)))
    return { kind: 'trial', text: 'onTrial' };
  return { kind: 'open', text: 'missing' };
}
