import type { Network } from '../domain/network.ts';

const explorers: Readonly<Record<Network, string>> = {
  mainnet: 'https://livenet.xrpl.org/transactions/',
  testnet: 'https://testnet.xrpl.org/transactions/',
};

/**
 * URL for viewing the transaction: in the network's explorer, or here for the standalone ledger.
 */
export function explorerUrl(transaction: {
  readonly network: Network;
  readonly standalone: boolean;
  readonly hash: string;
  readonly publicUrl: string;
}): string {
  const { network, standalone, hash, publicUrl } = transaction;
  return standalone
    ? `${publicUrl.replace(/\/+$/, '')}/verify/${hash}`
    : `${explorers[network]}${hash}`;
}
