import { Gauge, type Registry } from '@prometheus-io/client';
import type { LedgerServer } from '../ledger/contract.ts';
import type { WatchedNetwork } from './watched-network.ts';

/** Seconds from 1970 to 2000, the epoch of the ledger's times. */
const rippleEpochSeconds = 946_684_800;

/**
 * Registers the servers that an unknown amendment blocks, or is expected to block. A server that
 * has none of these troubles has no samples.
 */
export function amendmentMetrics(registry: Registry, networks: readonly WatchedNetwork[]): void {
  const gauge = (name: string, help: string, measure: (server: LedgerServer) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['network', 'server'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { gateway } of networks) {
          for (const server of gateway.servers()) {
            const value = measure(server);
            if (value === null) continue;
            this.set({ network: gateway.name(), server: server.name }, value);
          }
        }
      },
    });
  gauge(
    'proofmark_ledger_server_block_expected_seconds',
    'Unix time at which a ledger server expects to be blocked by an amendment that it does not know; 0 if it does not state the time',
    ({ unsupportedMajority: majority }) => {
      if (majority === null) return null;
      const { expectedTime } = majority;
      return expectedTime === null ? 0 : expectedTime + rippleEpochSeconds;
    },
  );
  gauge(
    'proofmark_ledger_server_blocked',
    '1 for a ledger server that is not used because it does not know an active amendment',
    ({ amendmentBlocked }) => (amendmentBlocked ? 1 : null),
  );
}
