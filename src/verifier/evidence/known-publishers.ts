import type { Network } from '../../domain/network.ts';

/** A publisher of validator lists for a network. */
export interface Publisher {
  readonly name: string;
  readonly network: Network;
  /** Master key, upper-case hex. */
  readonly key: string;
}

/**
 * Publishers that servers of the network trust by default. Each key was compared in two places:
 * `cfg/validators-example.txt` of github.com/XRPLF/rippled (read in November 2026) has all three.
 * The second places are the README of github.com/ripple/vl for `vl.ripple.com`, the notice of
 * github.com/XRPLF/xrpl-dev-portal about the move from `vl.xrplf.org` for `unl.xrplf.org`, and
 * "Connect Your rippled to the XRP Test Net" on xrpl.org for `vl.altnet.rippletest.net`.
 */
export const knownPublishers: readonly Publisher[] = [
  {
    name: 'vl.ripple.com',
    network: 'mainnet',
    key: 'ED2677ABFFD1B33AC6FBC3062B71F1E8397C1505E1C42C64D11AD1B28FF73F4734',
  },
  {
    name: 'unl.xrplf.org',
    network: 'mainnet',
    key: 'ED42AEC58B701EEBB77356FFFEC26F83C1F0407263530F068C7C73D392C7E06FD1',
  },
  {
    name: 'vl.altnet.rippletest.net',
    network: 'testnet',
    key: 'ED264807102805220DA0F312E71FC2C69E1552C9C5790F6C25E3729DEB573D5860',
  },
];
