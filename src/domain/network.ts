/** Names of the networks in the API. */
export const networks = ['mainnet', 'testnet'] as const;
export type Network = (typeof networks)[number];

/** `network_id` that a server of the network must report. */
export const networkIds: Readonly<Record<Network, number>> = { mainnet: 0, testnet: 1 };

/** True if the ledger is one of the network: its id is the network's number, perhaps with a hash. */
export function isOnNetwork(ledgerId: string, network: Network): boolean {
  return ledgerId.split('-', 1)[0] === String(networkIds[network]);
}
