import { signedBy } from './certificate-steps.js';
import { element } from './element.js';
import { pathOf } from './path-of.js';
import { showChain } from './show-chain.js';
import { showItem } from './show-item.js';
import { showStep, showVerdict, textWithTime, verdictBody, verdictKind } from './show-verdict.js';
import { text } from './texts.js';

/** @import { Chain } from './chains.js' */
/** @import { Item } from './given-file.ts' */
/** @import { Card } from './verdict.ts' */
/** @import { Verification } from './verification.ts' */

/**
 * @typedef {object} Actions
 * @property {(item: Item) => void} onRemove
 * @property {() => void} onRetry
 * @property {(transactionHash: string) => void} onMore Looks up further revisions.
 * @property {(isOpen: boolean) => void} onToggle
 */

/**
 * A card with its verdict, its files, and all steps of the verification. `rows` update the progress
 * of reading without a new element.
 *
 * @param {Card} card
 * @param {{chain: Chain | null, isOnly: boolean, isOpen: boolean}} state
 * @param {Actions} actions
 */
export function showCard(card, { chain, isOnly, isOpen }, actions) {
  const { key, certificate, files, judgement, transactionHash } = card;
  const rows = new Map();
  const show = (/** @type {Item} */ item, /** @type {'file' | 'certificate'} */ role) => {
    const shown = showItem(item, {
      role,
      signed: signedBy(judgement.steps),
      onRemove: () => actions.onRemove(item),
    });
    rows.set(item, shown);
    return shown.row;
  };
  const given = [
    ...files.map((item) => show(item, 'file')),
    ...(certificate ? [show(certificate, 'certificate')] : []),
  ];
  const names = isOnly ? [] : namesOf(card);
  /** @type {'h2' | 'h3'} */
  const level = isOnly ? 'h2' : 'h3';
  const below = isOnly ? 'h3' : 'h4';
  const title = textWithTime(`verdict.${judgement.text}`, judgement.values);
  const heading = { level, title, names, label: verdictKind(judgement) };
  const retry = { type: 'button', class: 'button verdict-retry', onclick: actions.onRetry };
  const onMore = () => transactionHash !== null && actions.onMore(transactionHash);
  const behind = [
    judgement.steps.length > 0
      ? element('ol', { class: 'steps' }, ...judgement.steps.map((step) => showStep(step, below)))
      : null,
    chain ? showChain(chain, { key, level: below, onMore }) : null,
    showElsewhere(card.verification),
  ];
  const isExplained = behind.some((part) => part !== null);
  const details = element(
    'details',
    { class: 'behind', open: isOpen },
    element('summary', {}, text('verify.steps')),
    ...behind,
  );
  details.addEventListener('toggle', () => actions.onToggle(details.open));
  const shown = element(
    'li',
    { class: 'card', id: `card-${key}` },
    showVerdict(
      judgement.kind,
      heading,
      ...verdictBody(card),
      judgement.canRetry ? element('button', retry, text('verdict.retry')) : null,
    ),
    given.length > 0
      ? element('ul', { class: 'items', 'aria-label': text('verify.given') }, ...given)
      : null,
    isExplained ? details : null,
  );
  return { shown, rows };
}

/**
 * Names of the card's files, or else of its certificate or transaction.
 * @param {Card} card
 */
function namesOf({ files, certificate, transactionHash }) {
  if (files.length > 0) return files.map(pathOf);
  if (certificate) return [pathOf(certificate)];
  return transactionHash === null
    ? []
    : [text('given.transaction', { hash: `${transactionHash.slice(0, 12)}…` })];
}

/**
 * Link to an independent explorer of the ledger, or a note for a standalone ledger; null without an
 * HTTPS URL.
 * @param {Verification | null} verification
 */
function showElsewhere(verification) {
  if (verification === null) return null;
  const { standalone, explorerUrl } = verification;
  if (standalone) return element('p', { class: 'elsewhere' }, text('verify.limitsNoExplorer'));
  if (!/^https:\/\//.test(explorerUrl)) return null;
  const link = { href: explorerUrl, rel: 'noreferrer noopener', target: '_blank' };
  return element(
    'p',
    { class: 'elsewhere' },
    `${text('verify.limitsExplorer')} `,
    element('a', link, text('verify.limitsExplorerLink')),
    `. ${text('verify.limitsExplorerCheck')}`,
  );
}
