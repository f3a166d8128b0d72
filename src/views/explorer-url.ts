import type { Network } from '../domain/network.ts';

const explorers: Readonly<Record<Network, string>> = {
  mainnet: 'https://livenet.xrpl.org/transactions/',
  testnet: 'https://testnet.xrpl.org/transactions/',
};

/** A transaction to show, and the URL of this service. */
export interface ShownTransaction {
  readonly network: Network;
  readonly standalone: boolean;
  readonly hash: string;
  readonly publicUrl: string;
}

/**
 * URL of the transaction in the public explorer of its ledger. No explorer shows the standalone
 * ledger, so its transactions have the URL of our page.
 */
export function explorerUrl(transaction: ShownTransaction): string {
  const { network, standalone, hash } = transaction;
  return standalone ? verifyPageUrl(transaction) : `${explorers[network]}${hash}`;
}

/** URL of the page of this service that verifies the transaction. */
export function verifyPageUrl({
  hash,
  publicUrl,
}: Pick<ShownTransaction, 'hash' | 'publicUrl'>): string {
  return `${publicUrl.replace(/\/+$/, '')}/verify/${hash}`;
}
