/** Names of the networks in the API. */
export const networks = ['mainnet', 'testnet'] as const;
export type Network = (typeof networks)[number];

/** `network_id` that a server of the network must report. */
export const networkIds: Readonly<Record<Network, number>> = { mainnet: 0, testnet: 1 };
