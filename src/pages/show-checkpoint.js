import { epochOf } from '../domain/log/origin.ts';
import { element } from './element.js';
import { mark } from './mark.js';
import { showLogVerdict } from './show-log-state.js';
import { showStep } from './show-verdict.js';
import { text, wholeNumber } from './texts.js';

/** @import { JudgedCheckpoint } from './judge-checkpoint.js' */
/** @import { JudgedLeaf } from './judge-leaf.js' */
/** @import { Step } from './step.ts' */
/** @import { Kind } from './verdict.ts' */

/**
 * The newest checkpoint, with its verdict and steps.
 * @param {JudgedCheckpoint} judged
 * @param {Open} open
 */
export function showNewest(judged, open) {
  const { checkpoint, isGood, isKnown } = judged;
  const epoch = checkpoint === null ? 0 : epochOf(checkpoint.origin);
  return element(
    'div',
    { class: 'card' },
    showLogVerdict(kindOf(judged), {
      label: labelOf(judged),
      title: isGood ? eventsOf(checkpoint?.size ?? 0) : text('log.broken'),
      body: isGood
        ? isKnown
          ? [text('log.signedKnown')]
          : [text('log.signed'), text('log.enterKey')]
        : [text('log.brokenBody')],
    }),
    epoch > 1 ? element('p', { class: 'beside' }, text('log.epoch', epochValues(epoch))) : null,
    behind(text('log.steps'), allSteps(judged, 'h4'), open, 'newest'),
  );
}

/**
 * A signature by a key that the service states is the word of the service alone, so it is not shown
 * as proven.
 * @param {{isGood: boolean, isKnown: boolean}} judged
 * @returns {Kind}
 */
function kindOf({ isGood, isKnown }) {
  if (!isGood) return 'disproven';
  return isKnown ? 'proven' : 'open';
}

/** @param {{isGood: boolean, isKnown: boolean}} judged */
function labelOf({ isGood, isKnown }) {
  if (!isGood) return text('log.failed');
  return text(isKnown ? 'log.checked' : 'log.stated');
}

/** @param {number} epoch */
function epochValues(epoch) {
  const restores = epoch - 1;
  const times = restores === 1 ? text('log.once') : text('log.oftener', { count: restores });
  return { epoch, times };
}

/**
 * A checkpoint in a list. Its steps are behind a line with the outcome.
 * @param {JudgedCheckpoint} judged
 * @param {Open} open
 * @param {string} list
 */
export function showListed(judged, open, list) {
  const { checkpoint, listed } = judged;
  const { number } = listed;
  const events = eventsOf(checkpoint?.size ?? 0);
  const line = element(
    'span',
    { class: 'listed' },
    mark(kindOf(judged)),
    element(
      'span',
      {},
      text('log.number', { number: wholeNumber(number), events }),
      ...factsOf(judged),
    ),
  );
  const key = `${list} ${number}`;
  return element('li', { class: 'card' }, behind(line, allSteps(judged, 'h3'), open, key));
}

/**
 * Facts that the browser has verified of a checkpoint, and facts that it could not check.
 * @param {JudgedCheckpoint} judged
 */
function factsOf({ isGood, steps, listed: { anchor, timestamp } }) {
  const witnesses = (/** @type {Step['status']} */ wanted) =>
    steps.filter(({ name, status }) => name === 'logWitness' && status === wanted).length;
  const cosigned = witnesses('ok');
  const unknown = witnesses('notChecked');
  const facts = [
    text(isGood ? 'log.isSigned' : 'log.notSigned'),
    ...(cosigned > 0 ? [text('log.cosigned', { count: countOf(cosigned) })] : []),
  ];
  const unchecked = [
    ...(unknown > 0 ? [countOf(unknown)] : []),
    ...(anchor ? [text('log.isAnchored')] : []),
    ...(timestamp ? [text('log.isStamped')] : []),
  ];
  const lines = [facts.join(' · ')];
  if (unchecked.length > 0) {
    lines.push(text('log.unchecked', { facts: unchecked.join(' · ') }));
  }
  return lines.map((line) => element('span', { class: 'listed-facts' }, line));
}

/** @param {number} witnesses */
function countOf(witnesses) {
  return witnesses === 1 ? text('log.oneWitness') : text('log.witnesses', { count: witnesses });
}

/**
 * The event that was looked up.
 * @param {JudgedLeaf} judged
 * @param {Open} open
 */
export function showLeaf(judged, open) {
  const { position, size, isGood, isKnown, steps } = judged;
  const values = { position: wholeNumber(position), size: wholeNumber(size) };
  const name = isGood ? 'included' : 'notIncluded';
  return element(
    'div',
    { class: 'card' },
    showLogVerdict(kindOf(judged), {
      label: labelOf(judged),
      title: text(isGood ? 'log.included' : 'log.notIncluded', values),
      body: [
        text(`log.${name}Body`, values),
        ...(isGood && !isKnown ? [text('log.enterKey')] : []),
      ],
    }),
    behind(
      text('log.steps'),
      steps.map((each) => shown(each, 'h4')),
      open,
      'found',
    ),
  );
}

/** Steps that the reader has opened, by key, so that they stay open when they are shown anew. */
export class Open {
  /** @type {Set<string>} */
  #open = new Set();

  /** @param {string} key */
  has(key) {
    return this.#open.has(key);
  }

  /**
   * @param {string} key
   * @param {boolean} isOpen
   */
  set(key, isOpen) {
    if (isOpen) this.#open.add(key);
    else this.#open.delete(key);
  }
}

/**
 * @param {Node | string} summary
 * @param {readonly Node[]} steps
 * @param {Open} open
 * @param {string} key
 */
function behind(summary, steps, open, key) {
  const details = element(
    'details',
    { class: 'behind', open: open.has(key) },
    element('summary', {}, summary),
    element('ol', { class: 'steps' }, ...steps),
  );
  details.addEventListener('toggle', () => open.set(key, details.open));
  return details;
}

/**
 * @param {JudgedCheckpoint} judged
 * @param {'h3' | 'h4'} level Heading level.
 */
function allSteps({ listed: { anchor }, steps }, level) {
  return steps.map((each) => {
    const item = shown(each, level);
    const url = each.name === 'logAnchor' ? anchor?.explorerUrl : null;
    if (!url || !/^https:\/\//.test(url)) return item;
    const link = { href: url, rel: 'noreferrer noopener', target: '_blank' };
    const place = element('p', { class: 'elsewhere' });
    place.append(element('a', link, text('log.explorer')));
    item.lastElementChild?.append(place);
    return item;
  });
}

/**
 * @param {Step} each
 * @param {'h3' | 'h4'} level
 */
function shown(each, level) {
  const { with: values = {} } = each;
  const { network, position } = values;
  const readable = {
    ...values,
    ...(typeof network === 'string' && {
      network: text(network === 'mainnet' ? 'log.mainnet' : 'log.testnet'),
    }),
    ...(typeof position === 'number' && { position: wholeNumber(position) }),
  };
  return showStep({ ...each, with: readable }, level);
}

/** @param {number} size */
function eventsOf(size) {
  if (size === 1) return text('log.oneEvent');
  return size === 0 ? text('log.noEvents') : text('log.events', { size: wholeNumber(size) });
}
