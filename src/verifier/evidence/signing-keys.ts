import { bytesToHex } from '@noble/hashes/utils.js';
import type { ListedValidator, ValidatorList } from './list-blob.ts';
import { isSignedManifest, type Manifest } from './manifest.ts';

/** The signing keys of the validators of a list. Keys are lower-case hex. */
export interface SigningKeys {
  /** False if no validator signs with this key. Verifies nothing. */
  mayBelong(signingKey: string): boolean;
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

  const byKey = new Map<string, Signer[]>();
  for (const { masterKey, signsAlone } of validators) {
    const manifests = (byMaster.get(masterKey) ?? []).sort((a, b) => b.sequence - a.sequence);
    const keys = new Set(manifests.flatMap(({ signing }) => keyOf(signing) ?? []));
    if (signsAlone) keys.add(masterKey);
    const signer = { masterKey, signsAlone, manifests };
    for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), signer]);
  }
  const verified = new Map<Manifest, boolean>();
  /** Verifies each manifest once. */
  const holds = (manifest: Manifest): boolean => {
    const known = verified.get(manifest) ?? isSignedManifest(manifest);
    verified.set(manifest, known);
    return known;
  };
  const isCurrent = ({ masterKey, signsAlone, manifests }: Signer, signingKey: string) => {
    const names = ({ signing }: Manifest) => keyOf(signing) === signingKey;
    // The other manifests are verified only if one that names this key holds.
    const isNamed = manifests.some((manifest) => names(manifest) && holds(manifest));
    const newest = isNamed || signsAlone ? manifests.find(holds) : undefined;
    return newest ? names(newest) : signsAlone && masterKey === signingKey;
  };
  return {
    mayBelong: (signingKey) => byKey.has(signingKey),
    masterOf(signingKey) {
      const signer = byKey.get(signingKey)?.find((each) => isCurrent(each, signingKey));
      return signer?.masterKey ?? null;
    },
  };
}

interface Signer extends Pick<ListedValidator, 'masterKey' | 'signsAlone'> {
  /** Newest first, not verified. */
  readonly manifests: readonly Manifest[];
}

function keyOf(signing: Manifest['signing']): string | null {
  return signing && bytesToHex(signing.key);
}
