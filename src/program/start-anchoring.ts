import { randomBytes } from 'node:crypto';
import type { OtherLedger } from '../anchoring-state/ledger-identity.ts';
import type { Network } from '../domain/network.ts';
import { DatabaseWentBack } from '../event-store/database-went-back.ts';
import { createLeaves } from '../event-store/leaves.ts';
import { type RunningAnchoring, runAnchoring } from '../reactors/anchoring/run-anchoring.ts';
import { runCheckpointRequests } from '../reactors/anchoring/run-checkpoint-requests.ts';
import { createReactorCheckpoints } from '../subscriptions/reactor-checkpoint.ts';
import { openWorkLocks } from '../subscriptions/work-locks.ts';
import { traceGateway } from '../telemetry/trace-gateway.ts';
import { check, LogUnconfirmed, requireAgreement } from '../transparency-log/guard/check.ts';
import { SubmittedMarkWriter } from '../transparency-log/publish/submitted-mark-writer.ts';
import { readNewestCheckpoint } from '../transparency-log/published/published-checkpoints.ts';
import type { LedgerComparison } from './compare-with-ledger.ts';
import { now, type Program } from './program.ts';
import type { Core } from './start-core.ts';
import type { NetworkParts } from './start-networks.ts';

const maxOutstandingPerAccount = 500;

/** Starts the anchoring of every network. */
export async function startAnchoring(
  { config, log, parts, fail, telemetry: { trace } }: Program,
  { url, database, store, signal, tail, leaves, published }: Core,
  configured: readonly NetworkParts[],
  comparison: LedgerComparison,
): Promise<RunningAnchoring[]> {
  const locks = openWorkLocks(url, {
    onLost: (err) =>
      log.warn({ err }, 'lost the locks on anchoring accounts; another process may take over'),
  });
  parts.add('work locks', () => locks.close());
  if (configured.every(({ checkpointSigner }) => checkpointSigner === null)) {
    log.info(
      'checkpoints of the log are published but not anchored on a ledger: ' +
        'configure XRPL_MAINNET_CHECKPOINT_ACCOUNT (or XRPL_TESTNET_CHECKPOINT_ACCOUNT)',
    );
  }
  const onOtherLedger = (network: Network) => (error: OtherLedger) =>
    network === 'mainnet' ? fail(error) : log.error({ network }, error.message);
  return Promise.all(
    configured.map(async ({ gateway, signers, checkpointSigner }) => {
      const { network } = gateway;
      const writer = randomBytes(4).toString('hex');
      const marks = new SubmittedMarkWriter({ store, leaves, published, network, writer });
      const running = await runAnchoring({
        store,
        gateway: trace === null ? gateway : traceGateway(gateway, trace),
        trace,
        locks,
        signers,
        checkpointSigner,
        maySign: () => comparison.agrees(network),
        compare: async () => {
          const traces = { store, leaves, history: database.db, published };
          requireAgreement(await check('publishing', traces));
        },
        cover: (lastLedger) => marks.cover(lastLedger),
        maxFeeDrops: config.maxFeeDrops,
        maxOutstanding: maxOutstandingPerAccount,
        checkpoints: createReactorCheckpoints(database.db),
        signal,
        tail,
        onError: (err) =>
          err instanceof DatabaseWentBack
            ? database.highWater.report(err)
            : err instanceof LogUnconfirmed && err.isFinal
              ? fail(err)
              : log.warn({ err, network }, 'anchoring failed; retrying'),
        onOtherLedger: onOtherLedger(network),
        onStorageBack: () => log.info({ network }, 'anchoring can use the storage again'),
        onSignerUnavailable: (err, account) =>
          log.warn({ err, network, account }, 'an account cannot sign; trying again'),
        onObstacle: (obstacle) =>
          obstacle === null
            ? log.info({ network }, 'anchoring has resumed')
            : log.warn(
                { network, obstacle },
                'anchoring is paused; no transaction is signed until the obstacle is gone',
              ),
        onCheckpointObstacle: (obstacle) =>
          obstacle === null
            ? log.info({ network }, 'anchoring of checkpoints has resumed')
            : log.warn(
                { network, obstacle },
                'anchoring of checkpoints is paused; none is signed until the obstacle is gone',
              ),
        onSubmitted: (hash, engineResult) =>
          log.debug({ network, hash, engineResult }, 'transaction submitted to the ledger'),
      });
      const stopRequests =
        checkpointSigner === null
          ? async () => {}
          : runCheckpointRequests({
              store,
              leaves: createLeaves(database.pool, database.highWater),
              published: () => readNewestCheckpoint(database.db),
              log: running.log,
              mayRequest: () => comparison.agrees(network),
              account: checkpointSigner.address,
              intervalMs: config.checkpointAnchorIntervalMs,
              now,
              onError: (err) => log.warn({ err }, 'request of a checkpoint failed; retrying'),
            });
      parts.add(`${network} anchoring`, async () => {
        await stopRequests();
        // Close the gateway first: pending ledger calls would delay the stop.
        await gateway.close();
        await running.stop();
      });
      return running;
    }),
  );
}
