import { bytesToHex } from '@noble/hashes/utils.js';
import type { ListReference, ValidatorEvent } from '../../domain/attestation/events.ts';
import { decodeBase64 } from '../../verifier/evidence/base64.ts';
import { maxListBytes, maxManifestBytes } from '../../verifier/evidence/limits.ts';
import { isInForce, readListBlob, type ValidatorList } from '../../verifier/evidence/list-blob.ts';
import { type Manifest, readManifest } from '../../verifier/evidence/manifest.ts';
import { type SigningKeys, signingKeys } from '../../verifier/evidence/signing-keys.ts';

/** A list on record, with the signing keys of its validators. */
export interface KnownList extends ListReference {
  readonly list: ValidatorList;
  readonly keys: SigningKeys;
}

interface RecordedList extends ListReference {
  readonly list: ValidatorList;
}

/** Lists and manifests of a network's validators, folded from the log, which has verified ones. */
export class KnownValidators {
  readonly #publisherKeys: readonly string[];
  readonly #lists = new Map<string, RecordedList>();
  readonly #manifests = new Map<string, Manifest>();
  /** The newest of each publisher, by master key in upper-case hex. */
  readonly #publishers = new Map<string, Manifest>();
  readonly #keys = new Map<RecordedList, SigningKeys>();
  /** Master keys by signing key, both in lower-case hex. */
  #signers: ReadonlyMap<string, string> | null = null;
  #revision = 0;

  /** `publisherKeys` are those that this process trusts, upper-case hex. */
  constructor(publisherKeys: readonly string[]) {
    this.#publisherKeys = publisherKeys;
  }

  observe({ type, data }: ValidatorEvent): void {
    if (type === 'ValidatorListPublished') {
      const { publisherKey, sequence, blob } = data;
      const list = readListBlob(decodeBase64(blob, maxListBytes, 'the list'));
      this.#lists.set(nameOf(data), { publisherKey, sequence, list });
      this.#observePublisher(publisherKey, data.manifest);
    } else if (type === 'PublisherRevoked') {
      this.#observePublisher(data.publisherKey, data.manifest);
    } else {
      const manifest = readManifest(decodeBase64(data.manifest, maxManifestBytes, 'a manifest'));
      const masterKey = bytesToHex(manifest.masterKey);
      if (manifest.sequence <= (this.#manifests.get(masterKey)?.sequence ?? -1)) return;
      this.#manifests.set(masterKey, manifest);
    }
    this.#keys.clear();
    this.#signers = null;
    this.#revision += 1;
  }

  /** Changes with every list and manifest that is news. */
  get revision(): number {
    return this.#revision;
  }

  #observePublisher(publisherKey: string, text: string): void {
    const manifest = readManifest(decodeBase64(text, maxManifestBytes, 'a manifest'));
    const known = this.#publishers.get(publisherKey);
    if (known === undefined || manifest.sequence > known.sequence) {
      this.#publishers.set(publisherKey, manifest);
    }
  }

  /** The newest manifest on record of a publisher (master key, upper-case hex). */
  publisherManifest(publisherKey: string): Manifest | null {
    return this.#publishers.get(publisherKey) ?? null;
  }

  hasList(list: ListReference): boolean {
    return this.#lists.has(nameOf(list));
  }

  /** True if a validator of any list has this master key (lower-case hex). */
  isListed(masterKey: string): boolean {
    return [...this.#lists.values()].some(({ list }) =>
      list.validators.some((each) => each.masterKey === masterKey),
    );
  }

  /** Highest sequence of a manifest of this validator, on record or in a list; -1 without one. */
  sequenceOf(masterKey: string): number {
    const listed = [...this.#lists.values()].flatMap(({ list }) =>
      list.validators.filter((each) => each.masterKey === masterKey),
    );
    const known = listed.map(({ manifest }) => manifest?.sequence ?? -1);
    return Math.max(-1, ...known, this.#manifests.get(masterKey)?.sequence ?? -1);
  }

  /** Of each trusted publisher whose key is not revoked the newest list in force at a close time. */
  listsAt(closeTime: number): readonly KnownList[] {
    return this.#publisherKeys.flatMap((publisherKey) => {
      if (this.#publishers.get(publisherKey)?.signing === null) return [];
      const inForce = [...this.#lists.values()].filter(
        (each) => each.publisherKey === publisherKey && isInForce(each.list, closeTime),
      );
      const [newest] = inForce.sort((a, b) => b.sequence - a.sequence);
      return newest ? [{ ...newest, keys: this.#keysOf(newest) }] : [];
    });
  }

  /** Manifests on record that are newer than the list's, of these validators; base64. */
  newerManifests(masterKeys: Iterable<string>): readonly Manifest[] {
    return [...masterKeys].flatMap((masterKey) => this.#manifests.get(masterKey) ?? []);
  }

  /**
   * Master key of the validator of any list that signs with this key, or did before a rotation; null
   * if there is none. Both keys are lower-case hex.
   */
  masterOf(signingKey: string): string | null {
    this.#signers ??= new Map([
      ...[...this.#lists.values()].flatMap(({ list }) =>
        list.validators.flatMap(({ manifest, masterKey, signsAlone }) =>
          signsAlone ? [[masterKey, masterKey] as const] : signerOf(manifest),
        ),
      ),
      ...[...this.#manifests.values()].flatMap(signerOf),
    ]);
    return this.#signers.get(signingKey) ?? null;
  }

  /** Manifests are verified once for each list: that takes 5 ms for each validator. */
  #keysOf(recorded: RecordedList): SigningKeys {
    const known = this.#keys.get(recorded);
    if (known !== undefined) return known;
    const keys = signingKeys(recorded.list, [...this.#manifests.values()]);
    this.#keys.set(recorded, keys);
    return keys;
  }
}

function nameOf({ publisherKey, sequence }: ListReference): string {
  return `${publisherKey} ${sequence}`;
}

/** Signing key and master key. */
function signerOf(manifest: Manifest | null): (readonly [string, string])[] {
  if (!manifest?.signing) return [];
  return [[bytesToHex(manifest.signing.key), bytesToHex(manifest.masterKey)]];
}
