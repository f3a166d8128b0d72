import type { Config } from '../../../src/config.ts';
import { originOf, parseOrigin } from '../../../src/domain/log/origin.ts';
import { readOrCreateLogKey } from '../../../src/embedded/log-key.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { type ReadKey, readLogKey } from '../../../src/verifier/log/note-key.ts';
import { LogEpochs } from '../history/log-epochs.ts';
import { ownRows, readHistory } from '../history/log-history.ts';
import type { Queryable } from '../rows/read-rows.ts';

/** A log has few epochs, but a damaged row may state any number. */
const mostEpochs = 1_000;

/** Keys that sign checkpoints; null if no log key is configured or the log has no name. */
export async function configuredKeys(
  { logKeys, databaseUrl, dataDir }: Config,
  database: Queryable,
): Promise<readonly ReadKey[] | null> {
  const seeds = logKeys?.map((secret) => secret.reveal()) ?? [];
  if (logKeys === null && databaseUrl === null) {
    const own = await readOrCreateLogKey(dataDir, { mayCreate: false }).catch(() => null);
    if (own !== null) seeds.push(own);
  }
  if (seeds.length === 0) return null;
  const history = await readHistory(ownRows(database, Number.MAX_SAFE_INTEGER));
  const named = parseOrigin(LogEpochs.of(history)?.origin ?? '');
  if (named === null) return null;
  // Until an epoch publishes a checkpoint, the newest checkpoint is of an earlier epoch.
  const epochs = Array.from(
    { length: Math.min(named.epoch, mostEpochs) },
    (_, n) => named.epoch - n,
  );
  return epochs.flatMap((epoch) =>
    seeds.flatMap((seed) => {
      const { vkey } = noteSigner(originOf({ name: named.name, epoch }), seed);
      return readLogKey(vkey) ?? [];
    }),
  );
}
