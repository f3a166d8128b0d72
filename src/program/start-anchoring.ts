import type { Network } from '../domain/network.ts';
import type { OtherLedger } from '../reactors/anchoring/ledger-identity.ts';
import { type RunningAnchoring, runAnchoring } from '../reactors/anchoring/run-anchoring.ts';
import { createReactorCheckpoints } from '../subscriptions/reactor-checkpoint.ts';
import { openWorkLocks } from '../subscriptions/work-locks.ts';
import { traceGateway } from '../telemetry/trace-gateway.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';

const maxOutstandingPerAccount = 500;

/** Starts the anchoring of every network. */
export async function startAnchoring(
  { config, log, parts, fail, telemetry: { trace } }: Program,
  { url, database, store, signal }: Core,
  configured: readonly NetworkParts[],
): Promise<RunningAnchoring[]> {
  const locks = openWorkLocks(url, {
    onLost: (err) => log.warn({ err }, 'locks on anchoring accounts lost'),
  });
  parts.add('work locks', () => locks.close());
  const onOtherLedger = (network: Network) => (error: OtherLedger) =>
    network === 'mainnet' ? fail(error) : log.error({ network }, error.message);
  return Promise.all(
    configured.map(async ({ gateway, signers }) => {
      const { network } = gateway;
      const running = await runAnchoring({
        store,
        gateway: trace === null ? gateway : traceGateway(gateway, trace),
        trace,
        locks,
        signers,
        maxFeeDrops: config.maxFeeDrops,
        maxOutstanding: maxOutstandingPerAccount,
        checkpoints: createReactorCheckpoints(database.db),
        signal,
        onError: (err) => log.warn({ err, network }, 'anchoring will be tried again'),
        onOtherLedger: onOtherLedger(network),
        onObstacle: (obstacle) =>
          obstacle === null
            ? log.info({ network }, 'anchoring goes on')
            : log.warn({ network, obstacle }, 'nothing is signed'),
        onSubmitted: (hash, engineResult) =>
          log.debug({ network, hash, engineResult }, 'submitted'),
      });
      parts.add(`${network} anchoring`, async () => {
        // First, so that nothing that a step still asks the ledger keeps it waiting.
        await gateway.close();
        await running.stop();
      });
      return running;
    }),
  );
}
