import type { CertificateContent } from '../certificate-content.ts';

/** Fact that a holder must know before relying on the certificate or passing it on. */
export interface Warning {
  readonly title: string;
  readonly text: string;
}

export function warningsOf({ nonce, ...ledger }: CertificateContent): Warning[] {
  return [...(nonce === null ? [] : [confidential]), ...networkWarnings(ledger)];
}

/** Warnings about ledgers that give no lasting evidence. */
function networkWarnings({
  network,
  standalone,
}: Pick<CertificateContent, 'network' | 'standalone'>): Warning[] {
  if (standalone) return [development];
  return network === 'testnet' ? [testNetwork] : [];
}

const confidential: Warning = {
  title: 'Confidential',
  text: 'This document and its attachment hold the nonce. Whoever has it can test which file the ledger entry stands for. Pass it on only to those who may verify the file.',
};

const testNetwork: Warning = {
  title: 'Test network',
  text: 'This proof is on the test network of the XRP Ledger, which can be reset at any time: its transactions are gone then. It serves trials, not evidence.',
};

const development: Warning = {
  title: 'Development ledger',
  text: 'This proof is on a ledger that the service runs for itself, and that can be reset at any time. Nobody else keeps it or vouches for it: it proves nothing to others.',
};
