import { Gauge, type Registry } from '@prometheus-io/client';
import { accountMetrics } from './account-metrics.ts';
import type { WatchedNetwork } from './watched-network.ts';

/** Seconds from 1970 to 2000, from which the ledger counts. */
const rippleEpochSeconds = 946_684_800;

/**
 * Where each network's ledger stands, and what the anchoring accounts have. Returns what ends the
 * watching.
 */
export function ledgerMetrics(registry: Registry, networks: readonly WatchedNetwork[]): () => void {
  const labelNames = ['network'] as const;
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers });
  const index = gauge('proofmark_ledger_validated_index', 'Index of the newest validated ledger');
  const closeTime = gauge(
    'proofmark_ledger_close_time_seconds',
    "When it closed by the ledger's own clock, in Unix time",
  );
  const clock = gauge(
    'proofmark_ledger_clock_difference_seconds',
    'Clock of this process less the close time of a ledger when it was heard of; some seconds are usual',
  );
  const fee = gauge(
    'proofmark_ledger_open_fee_drops',
    'What a transaction must pay now to get into the open ledger',
  );
  new Gauge({
    name: 'proofmark_ledger_connected_servers',
    help: 'Configured servers of a network that are connected',
    labelNames,
    registers,
    collect() {
      for (const { gateway } of networks) {
        const ready = gateway.servers().filter(({ state }) => state === 'ready');
        this.set({ network: gateway.network }, ready.length);
      }
    },
  });
  const heardAt = new Map(networks.map(({ gateway }) => [gateway.network, performance.now()]));
  new Gauge({
    name: 'proofmark_ledger_lag_seconds',
    help: 'Since this process heard of a new validated ledger, or since its start, by its own clock',
    labelNames,
    registers,
    collect() {
      for (const [network, at] of heardAt) this.set({ network }, (performance.now() - at) / 1_000);
    },
  });
  const watching = networks.map(({ gateway }) => {
    const { network } = gateway;
    let newest = -1;
    return gateway.status.subscribe((status) => {
      if (!status.connected) return;
      fee.set({ network }, status.openLedgerFeeDrops);
      if (status.tip.index === newest) return;
      newest = status.tip.index;
      heardAt.set(network, performance.now());
      index.set({ network }, newest);
      const closedAt = status.tip.closeTime + rippleEpochSeconds;
      closeTime.set({ network }, closedAt);
      clock.set({ network }, Date.now() / 1_000 - closedAt);
    });
  });
  accountMetrics(registry, networks);
  return () => {
    for (const one of watching) one.unsubscribe();
  };
}
