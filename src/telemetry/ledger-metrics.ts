import { Gauge, type Registry } from '@prometheus-io/client';
import { accountMetrics } from './account-metrics.ts';
import { amendmentMetrics } from './amendment-metrics.ts';
import type { WatchedNetwork } from './watched-network.ts';

/** Seconds from 1970 to 2000, the epoch of the ledger's times. */
const rippleEpochSeconds = 946_684_800;
const minuteMs = 60_000;

/**
 * Registers the state of each network's ledger, and the balances of the anchoring accounts. Returns
 * a function that stops watching.
 */
export function ledgerMetrics(registry: Registry, networks: readonly WatchedNetwork[]): () => void {
  const labelNames = ['network'] as const;
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers });
  const index = gauge('proofmark_ledger_validated_index', 'Index of the newest validated ledger');
  const closeTime = gauge(
    'proofmark_ledger_close_time_seconds',
    'Close time of the newest validated ledger, in Unix time',
  );
  const clock = gauge(
    'proofmark_ledger_clock_difference_seconds',
    'Clock of this process minus the close time of the newest ledger on its arrival; some seconds are normal',
  );
  const fee = gauge(
    'proofmark_ledger_open_fee_drops',
    'Minimum fee of a transaction to get into the open ledger now',
  );
  new Gauge({
    name: 'proofmark_ledger_connected_servers',
    help: 'Configured servers of a network that are connected',
    labelNames,
    registers,
    collect() {
      // The name of a network changes when its first ledger is standalone.
      this.reset();
      for (const { gateway } of networks) {
        const ready = gateway.servers().filter(({ state }) => state === 'ready');
        this.set({ network: gateway.name() }, ready.length);
      }
    },
  });
  new Gauge({
    name: 'proofmark_ledger_submissions_per_minute',
    help: 'Transactions that the connected servers take within the next minute; absent without a limit',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { gateway } of networks) {
        const submissions = gateway.submissionsWithin(minuteMs);
        if (Number.isFinite(submissions)) this.set({ network: gateway.name() }, submissions);
      }
    },
  });
  new Gauge({
    name: 'proofmark_ledger_submissions_waiting',
    help: 'Transactions that wait in this process for the limits of the servers',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { gateway } of networks)
        this.set({ network: gateway.name() }, gateway.submissionsWaiting());
    },
  });
  const receivedAt = new Map(networks.map(({ gateway }) => [gateway, performance.now()]));
  new Gauge({
    name: 'proofmark_ledger_lag_seconds',
    help: 'Time since this process received a new validated ledger, or since its start',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const [gateway, at] of receivedAt)
        this.set({ network: gateway.name() }, (performance.now() - at) / 1_000);
    },
  });
  const watching = networks.map(({ gateway }) => {
    let newest = -1;
    return gateway.status.subscribe((status) => {
      if (!status.connected) return;
      const network = gateway.name();
      fee.set({ network }, status.openLedgerFeeDrops);
      if (status.tip.index === newest) return;
      newest = status.tip.index;
      receivedAt.set(gateway, performance.now());
      index.set({ network }, newest);
      const closedAt = status.tip.closeTime + rippleEpochSeconds;
      closeTime.set({ network }, closedAt);
      clock.set({ network }, Date.now() / 1_000 - closedAt);
    });
  });
  accountMetrics(registry, networks);
  amendmentMetrics(registry, networks);
  return () => {
    for (const one of watching) one.unsubscribe();
  };
}
