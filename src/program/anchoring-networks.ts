import type { AnchoringNetwork } from '../http/service/network-obstacles.ts';
import type { RunningAnchoring } from '../reactors/anchoring/run-anchoring.ts';
import type { NetworkParts } from './start-networks.ts';

/** A configured network as the readiness checks read it. */
export type CheckedNetwork = Pick<NetworkParts, 'gateway'>;

/** The anchoring of a network as the readiness checks read it. */
export type CheckedAnchoring = Pick<RunningAnchoring, 'network' | 'paused' | 'delays'>;

/**
 * The configured networks with their anchoring in this process. New proofs are anchored on the first
 * one, the others have earlier proofs. Throws without a network.
 */
export function anchoringNetworks(
  configured: readonly CheckedNetwork[],
  anchorings: readonly CheckedAnchoring[],
): { readonly newProofs: AnchoringNetwork; readonly others: readonly AnchoringNetwork[] } {
  const [newProofs, ...others] = configured.map(({ gateway }) => {
    const own = anchorings.find(({ network }) => network === gateway.network);
    return { gateway, paused: () => own?.paused() ?? null, delays: () => own?.delays() ?? {} };
  });
  if (newProofs === undefined) throw new Error('no network is configured');
  return { newProofs, others };
}
