import { readOrCreateLogKey } from '../embedded/log-key.ts';
import { StorageUnavailable } from '../storage/storage-unavailable.ts';
import type { WorkLocks } from '../subscriptions/work-locks.ts';
import { witnessMetrics } from '../telemetry/witness-metrics.ts';
import { epochKeys } from '../transparency-log/checkpoint/epoch-keys.ts';
import { currentOrigin } from '../transparency-log/current-origin.ts';
import { runPublisher } from '../transparency-log/publish/run-publisher.ts';
import { lastPublished } from '../transparency-log/published/published-checkpoints.ts';
import { readWitnessCoverage } from '../transparency-log/witnesses/witness-coverage.ts';
import { WitnessOffers } from '../transparency-log/witnesses/witness-offers.ts';
import { readLogKey } from '../verifier/log/note-key.ts';
import { CannotServe } from './cannot-serve.ts';
import type { Program } from './program.ts';
import { readWitnessPolicy } from './read-witness-policy.ts';
import type { Core } from './start-core.ts';

/** Starts publishing checkpoints of the log, and logs the keys that verify them. */
export async function startPublishing(
  program: Program,
  core: Core,
  locks: WorkLocks,
): Promise<void> {
  const { config, log, parts, fail, telemetry } = program;
  const { database, store, leaves, published } = core;
  const seeds = await logSeeds(program, core);
  const origin = await currentOrigin(store);
  for (const vkey of epochKeys({ origin, seeds, signed: [] })) {
    const isCurrent = readLogKey(vkey)?.name === origin;
    log.info(
      { vkey },
      isCurrent
        ? 'checkpoints are signed with this key'
        : 'this key verifies an earlier epoch of the log',
    );
  }
  const policy = await readWitnessPolicy(config);
  const offers = new WitnessOffers({
    ...{ db: database.db, published },
    witnesses: (policy?.witnesses ?? []).flatMap((one) =>
      one.url === null ? [] : { ...one, url: one.url },
    ),
    onError: (err) => log.warn({ err }, 'checkpoints could not be offered to witnesses; retrying'),
    onTrouble: (witness, err) =>
      log.warn({ witness, err }, 'witness does not cosign checkpoints; retrying'),
    onRecovered: (witness) => log.info({ witness }, 'witness cosigns checkpoints again'),
  });
  if (policy !== null) {
    witnessMetrics(telemetry.metrics.registry, {
      readCoverage: () => readWitnessCoverage(database.db, policy),
      counts: () => offers.counts(),
    });
  }
  let failing: string | null = null;
  const stop = runPublisher({
    store,
    leaves,
    history: database.db,
    published,
    seeds,
    locks,
    intervalMs: config.checkpointIntervalMs,
    onPublished: () => {
      if (failing !== null) log.info('checkpoints can be published again');
      failing = null;
      offers.offer();
    },
    onDiffers: ({ message }) => fail(new CannotServe(message)),
    onError: (err) => {
      // Once for an outage: publishing is retried every second.
      const kind = err instanceof StorageUnavailable ? err.name : String(err);
      if (kind !== failing) log.warn({ err }, 'publishing a checkpoint failed; retrying');
      failing = kind;
    },
  });
  parts.add('offers to witnesses', () => offers.stop());
  parts.add('publishing of the log', stop);
}

async function logSeeds({ config }: Program, { database }: Core): Promise<readonly Buffer[]> {
  if (config.logKeys !== null) return config.logKeys.map((key) => key.reveal());
  const mayCreate = (await lastPublished(database.db)) === null;
  return [await readOrCreateLogKey(config.dataDir, { mayCreate })];
}
