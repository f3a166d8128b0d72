import { bytesToHex } from '@noble/hashes/utils.js';
import type { ValidatorEvent } from '../../domain/attestation/events.ts';
import { decodeBase64 } from '../../verifier/evidence/base64.ts';
import { maxManifestBytes } from '../../verifier/evidence/limits.ts';
import { type Manifest, readManifest } from '../../verifier/evidence/manifest.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const mostPerDay = 20;

/**
 * Limits the manifests on record of each validator to one a minute and 20 a day, over all processes.
 * Validators rotate their keys a few times a year, but can sign any number of manifests.
 */
export class ManifestPace {
  /** Wall clock, in milliseconds. */
  readonly #clock: () => number;
  /** Times of the newest records of a validator, ascending, by master key. */
  readonly #recorded = new Map<string, readonly number[]>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Folds an event of the network's stream of validators. */
  observe({ type, data, recordedAt }: ValidatorEvent & { readonly recordedAt: string }): void {
    if (type !== 'ValidatorManifestPublished') return;
    const { masterKey } = readManifest(decodeBase64(data.manifest, maxManifestBytes, 'a manifest'));
    const key = bytesToHex(masterKey);
    const times = [...(this.#recorded.get(key) ?? []), Date.parse(recordedAt)];
    this.#recorded.set(key, times.slice(-mostPerDay));
  }

  /** True if the manifest may be recorded now. A revocation always may: a validator has only one. */
  permits({ masterKey, signing }: Manifest): boolean {
    if (signing === null) return true;
    const now = this.#clock();
    const times = this.#recorded.get(bytesToHex(masterKey)) ?? [];
    const ofDay = times.filter((time) => time > now - dayMs);
    return ofDay.length < mostPerDay && !ofDay.some((time) => time > now - minuteMs);
  }
}
