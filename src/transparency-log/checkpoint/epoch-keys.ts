import { originOf, parseOrigin } from '../../domain/log/origin.ts';
import { noteSigner, renameKey } from './note-key.ts';

/** The keys of a log that are known. */
export interface KnownLogKeys {
  /** Current name of the log. */
  readonly origin: string;
  /** Seeds of the configured keys, the newest first; empty where this process does not have them. */
  readonly seeds: readonly Uint8Array[];
  /** Keys that signed published checkpoints: each set that signed together, the last to sign first. */
  readonly signed: readonly (readonly string[])[];
}

/**
 * Every key by which a checkpoint of the log can be checked, the newest epoch first. An epoch has its own
 * name, so one Ed25519 key is a `vkey` in each: the keys that sign now are named for every epoch up to
 * the last that they are known to sign, since a restore may have lost what they signed before. Keys that
 * were exchanged are named only where they are on record.
 */
export function epochKeys({ origin, seeds, signed }: KnownLogKeys): readonly string[] {
  const current = parseOrigin(origin);
  if (current === null) throw new Error(`${origin} is no name of a log`);
  const nameOf = (epoch: number) => originOf(current.logId, epoch);
  const upTo = (epoch: number) => Array.from({ length: epoch }, (_, n) => nameOf(epoch - n));
  const configured = upTo(current.epoch).flatMap((name) =>
    seeds.map((seed) => noteSigner(name, seed).vkey),
  );
  const [last = []] = seeds.length > 0 ? [] : signed;
  const renamed = last.flatMap((vkey) =>
    upTo(epochOf(vkey)).flatMap((name) => renameKey(vkey, name) ?? []),
  );
  const all = [...new Set([...configured, ...renamed, ...signed.flat()])];
  return all.sort((one, other) => epochOf(other) - epochOf(one));
}

/** 0 for a key of no log of ours. */
function epochOf(vkey: string): number {
  return parseOrigin(vkey.split('+')[0] ?? '')?.epoch ?? 0;
}
