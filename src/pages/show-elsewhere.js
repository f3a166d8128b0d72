import { element } from './element.js';
import { text } from './texts.js';

/** @import { Verification } from './ask-ledger.js' */

/**
 * The way to ask somebody else than this service what the ledger holds; null where there is none.
 * @param {Verification | null} verification
 */
export function showElsewhere(verification) {
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
