import { bytesToHex } from '@noble/hashes/utils.js';
import type { ListedValidator, ValidatorList } from './list-blob.ts';
import { isSignedManifest, type Manifest } from './manifest.ts';

/** The signing keys of the validators of a list. Keys are lower-case hex. */
export interface SigningKeys {
  /** Master key of the listed validator that signs with a key; null if none does. */
  masterOf(signingKey: string): string | null;
}

/**
 * Finds signing keys by manifests. Of each validator the manifest with the highest sequence counts,
 * from the list or from `newer`, which holds manifests that were published after the list. So a key
 * that was replaced or revoked belongs to no validator. Manifests are ignored if their signatures do
 * not hold, or if another validator's entry contains them.
 */
export function signingKeys(
  { validators }: ValidatorList,
  newer: readonly Manifest[] = [],
): SigningKeys {
  const byMaster = new Map<string, Manifest[]>();
  const add = (masterKey: string, manifest: Manifest) => {
    byMaster.set(masterKey, [...(byMaster.get(masterKey) ?? []), manifest]);
  };
  for (const { masterKey, manifest } of validators) {
    if (manifest && bytesToHex(manifest.masterKey) === masterKey) add(masterKey, manifest);
  }
  for (const manifest of newer) add(bytesToHex(manifest.masterKey), manifest);

  const named = validators.map((validator) => {
    const manifests = byMaster.get(validator.masterKey) ?? [];
    const keys = new Set(manifests.flatMap(({ signing }) => keyOf(signing) ?? []));
    if (validator.signsAlone) keys.add(validator.masterKey);
    return { validator, manifests, keys };
  });
  const verified = new Map<string, string | null>();
  const currentKey = ({ masterKey, signsAlone }: ListedValidator, manifests: Manifest[]) => {
    const known = verified.get(masterKey);
    if (known !== undefined) return known;
    const key = newestKey(manifests, signsAlone ? masterKey : null);
    verified.set(masterKey, key);
    return key;
  };
  return {
    masterOf(signingKey) {
      const found = named.find(
        ({ validator, manifests, keys }) =>
          keys.has(signingKey) && currentKey(validator, manifests) === signingKey,
      );
      return found?.validator.masterKey ?? null;
    },
  };
}

/** The key of the newest manifest that holds; `otherwise` without one, null if it is revoked. */
function newestKey(manifests: readonly Manifest[], otherwise: string | null): string | null {
  const newest = [...manifests]
    .sort((a, b) => b.sequence - a.sequence)
    .find((manifest) => isSignedManifest(manifest));
  return newest === undefined ? otherwise : keyOf(newest.signing);
}

function keyOf(signing: Manifest['signing']): string | null {
  return signing && bytesToHex(signing.key);
}
