import { element } from './element.js';
import { text } from './texts.js';

/** @import { Verification } from './ask-ledger.js' */

/**
 * Where to ask somebody else than this service what the ledger holds.
 * @param {Verification | null} verification
 */
export function showElsewhere(verification) {
  if (verification === null) return [];
  const { standalone, explorerUrl } = verification;
  if (standalone) return [element('li', {}, text('verify.limitsNoExplorer'))];
  if (!/^https:\/\//.test(explorerUrl)) return [];
  const link = { href: explorerUrl, rel: 'noreferrer noopener', target: '_blank' };
  return [
    element(
      'li',
      {},
      `${text('verify.limitsExplorer')} `,
      element('a', link, text('verify.limitsExplorerLink')),
      `. ${text('verify.limitsExplorerCheck')}`,
    ),
  ];
}
