import { epochOf, originOf, parseOrigin } from '../../domain/log/origin.ts';
import { noteSigner, renameKey } from './note-key.ts';

/** The known keys of a log. */
interface KnownLogKeys {
  /** Current name of the log. */
  readonly origin: string;
  /** Seeds of the configured keys, the newest first; empty if this process does not have them. */
  readonly seeds: readonly Uint8Array[];
  /**
   * Keys that signed published checkpoints, in sets that signed together; the last set comes first.
   */
  readonly signed: readonly (readonly string[])[];
}

/**
 * Lists every key that can verify a checkpoint of the log, the newest epoch first. Each epoch has
 * its own name, so one Ed25519 key has a different `vkey` in each epoch.
 *
 * The current keys are listed for every epoch up to the last one that they are known to sign: a
 * restore may have lost the record of earlier signatures. Replaced keys are listed only for the
 * epochs on record.
 */
export function epochKeys({ origin, seeds, signed }: KnownLogKeys): readonly string[] {
  const current = parseOrigin(origin);
  if (current === null) throw new Error(`${origin} is no name of a log`);
  const nameOf = (epoch: number) => originOf({ name: current.name, epoch });
  const upTo = (epoch: number) => Array.from({ length: epoch }, (_, n) => nameOf(epoch - n));
  const configured = upTo(current.epoch).flatMap((name) =>
    seeds.map((seed) => noteSigner(name, seed).vkey),
  );
  const [last = []] = seeds.length > 0 ? [] : signed;
  const renamed = last.flatMap((vkey) =>
    upTo(epochOfKey(vkey)).flatMap((name) => renameKey(vkey, name) ?? []),
  );
  const all = [...new Set([...configured, ...renamed, ...signed.flat()])];
  return all.sort((one, other) => epochOfKey(other) - epochOfKey(one));
}

/** The epoch of a key; 0 if the key does not belong to one of our logs. */
function epochOfKey(vkey: string): number {
  return epochOf(vkey.split('+')[0] ?? '');
}
