import type { CertificateContent } from '../../certificate-content.ts';
import type { Warning } from './wording/wording.ts';
import { wordingOf } from './wording/wording-of.ts';

export function warningsOf(content: CertificateContent): Warning[] {
  const { network, standalone, nonce } = content;
  const { confidential, testNetwork, development } = wordingOf(content).warnings;
  const ofLedger = standalone ? development : network === 'testnet' ? testNetwork : null;
  return [nonce === null ? null : confidential, ofLedger].filter((warning) => warning !== null);
}
