import { runTimestamping } from '../reactors/timestamping/run-timestamping.ts';
import { createReactorCheckpoints } from '../subscriptions/reactor-checkpoint.ts';
import type { WorkLocks } from '../subscriptions/work-locks.ts';
import { timestampingMetrics } from '../telemetry/timestamping-metrics.ts';
import { BadToken } from '../timestamps/bad-token.ts';
import { textOf } from '../transparency-log/checkpoint/checkpoint.ts';
import type { Program } from './program.ts';
import type { Core } from './start-core.ts';

/**
 * Largest error that a new token of a checkpoint may state for its time: clocks may differ by as much.
 * Signatures of PDFs take any: their token is the word of the authority alone.
 */
const maxAccuracyMicros = 300_000_000;

/** Starts to ask a time-stamping authority for tokens of anchored checkpoints, if one is configured. */
export async function startTimestamping(
  { config, log, parts, telemetry: { metrics } }: Program,
  { database, store, signal, tail }: Core,
  locks: WorkLocks,
): Promise<void> {
  if (config.timestampAuthority === null) return;
  const { url } = config.timestampAuthority;
  const roots = config.timestampAuthority.roots.map((root) => Buffer.from(root, 'base64'));
  // Loaded only where it is needed: the library of certificates is large.
  const { askAuthority } = await import('../timestamps/ask-authority.ts');
  const { host } = new URL(url.reveal());
  const timestamping = await runTimestamping({
    ...{ store, tail, signal, locks },
    checkpoints: createReactorCheckpoints(database.db),
    stamp: (memo, stopped) =>
      askAuthority({ url: url.reveal(), roots, maxAccuracyMicros }, textOf(memo), stopped),
    onFailed: (err, { size }) =>
      err instanceof BadToken
        ? log.error(
            { err, authority: host, size },
            'the time-stamping authority sent a false token, which is not recorded; check TSA_URL and TSA_CERTIFICATES',
          )
        : log.warn(
            { err, authority: host, size },
            'the time-stamping authority issued no token; trying again',
          ),
    onError: (err) => log.warn({ err }, 'timestamping of checkpoints failed; retrying'),
  });
  timestampingMetrics(metrics.registry, timestamping);
  parts.add('timestamping of checkpoints', () => timestamping.stop());
}
