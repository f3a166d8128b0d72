import type { Config } from '../../src/config.ts';
import { originOf, parseOrigin } from '../../src/domain/log/origin.ts';
import { readOrCreateLogKey } from '../../src/embedded/log-key.ts';
import {
  type NoteVerifier,
  noteSigner,
  parseVerifierKey,
} from '../../src/transparency-log/checkpoint/note-key.ts';
import { LogEpochs } from './log-epochs.ts';
import { ownRows, readHistory } from './log-history.ts';
import type { Queryable } from './read-rows.ts';

/** A log has few. What a row says of its epoch may be any number. */
const mostEpochs = 1_000;

/** The keys that sign checkpoints; null where this program is not given them, and for a log without a name. */
export async function configuredKeys(
  { logKeys, databaseUrl, dataDir }: Config,
  database: Queryable,
): Promise<readonly NoteVerifier[] | null> {
  const seeds = logKeys?.map((secret) => secret.reveal()) ?? [];
  if (logKeys === null && databaseUrl === null) {
    const own = await readOrCreateLogKey(dataDir, { mayCreate: false }).catch(() => null);
    if (own !== null) seeds.push(own);
  }
  if (seeds.length === 0) return null;
  const history = await readHistory(ownRows(database, Number.MAX_SAFE_INTEGER));
  const named = parseOrigin(LogEpochs.of(history)?.origin ?? '');
  if (named === null) return null;
  // Until an epoch publishes something, the newest one is of an epoch before.
  const epochs = Array.from(
    { length: Math.min(named.epoch, mostEpochs) },
    (_, n) => named.epoch - n,
  );
  return epochs.flatMap((epoch) =>
    seeds.flatMap((seed) => {
      const { vkey } = noteSigner(originOf(named.logId, epoch), seed);
      return parseVerifierKey(vkey) ?? [];
    }),
  );
}
