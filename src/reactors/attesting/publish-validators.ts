import { bytesToHex } from '@noble/hashes/utils.js';
import type { ValidatorEvent } from '../../domain/attestation/events.ts';
import type { Network } from '../../domain/network.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { VersionConflict } from '../../event-store/version-conflict.ts';
import { BadEvidence } from '../../verifier/evidence/bad-evidence.ts';
import { decodeBase64, encodeBase64 } from '../../verifier/evidence/base64.ts';
import { maxManifestBytes } from '../../verifier/evidence/limits.ts';
import { isSignedManifest, type Manifest, readManifest } from '../../verifier/evidence/manifest.ts';
import { blobsOf, type PublishedList, verifyBlob } from '../../verifier/evidence/validator-list.ts';
import type { KnownValidators } from './known-validators.ts';
import type { ManifestPace } from './manifest-pace.ts';

const meta = { actor: 'attesting' } as const;

export interface PublishDeps {
  readonly store: EventStore;
  readonly network: Network;
  readonly known: KnownValidators;
  readonly pace: Pick<ManifestPace, 'permits'>;
  /** Folds the events of the stream that were not folded yet. Resolves with its version. */
  readonly refresh: () => Promise<number>;
}

/**
 * Records every new list in the answer of a publisher, or that its key is revoked. Throws
 * `BadEvidence` if the answer is no list by this publisher (master key, upper-case hex), or if
 * another key has replaced the one that signed it.
 */
export async function publishLists(
  deps: PublishDeps,
  publisherKey: string,
  answer: unknown,
): Promise<void> {
  if (typeof answer !== 'object' || answer === null) throw notByPublisher(publisherKey);
  for (const signed of blobsOf(answer as PublishedList)) {
    await recordRevocation(deps, publisherKey, signed.manifest);
    const list = verifyBlob(signed);
    if (list.publisherKey !== publisherKey) throw notByPublisher(publisherKey);
    refuseReplacedKey(deps.known, publisherKey, signed.manifest);
    const { sequence } = list;
    const data = { network: deps.network, publisherKey, sequence, ...signed };
    await appendIf(deps, () => !deps.known.hasList(data), { type: 'ValidatorListPublished', data });
  }
}

/** Records a manifest that revokes the publisher's key. */
async function recordRevocation(
  deps: PublishDeps,
  publisherKey: string,
  text: string,
): Promise<void> {
  const manifest = readPublisher(text);
  const isOwn = bytesToHex(manifest.masterKey).toUpperCase() === publisherKey;
  if (manifest.signing !== null || !isOwn || !isSignedManifest(manifest)) return;
  const isNews = () => deps.known.publisherManifest(publisherKey)?.signing !== null;
  const data = { network: deps.network, publisherKey, manifest: encodeBase64(manifest.bytes) };
  await appendIf(deps, isNews, { type: 'PublisherRevoked', data });
}

/** Throws `BadEvidence` if a newer manifest on record names another signing key. */
function refuseReplacedKey(known: KnownValidators, publisherKey: string, text: string): void {
  const newest = known.publisherManifest(publisherKey);
  const { sequence, signing } = readPublisher(text);
  if (newest === null || sequence > newest.sequence) return;
  const keys = [newest, { signing }].map((one) => one.signing && bytesToHex(one.signing.key));
  if (keys[0] === keys[1]) return;
  throw new BadEvidence(
    'publisher',
    `the publisher ${publisherKey} has replaced the key that signed the list`,
  );
}

function readPublisher(text: string): Manifest {
  return readManifest(decodeBase64(text, maxManifestBytes, "the publisher's manifest"));
}

/**
 * Records a manifest of a listed validator if it is newer than known and its signatures hold.
 * Resolves with `unsigned` if they do not. Ignores a manifest that comes too soon after others of the
 * same validator: it is asked for again while it is needed.
 */
export async function publishManifest(
  deps: PublishDeps,
  bytes: Uint8Array,
): Promise<'done' | 'unsigned'> {
  const { known, pace } = deps;
  const manifest = readIfNews(known, bytes);
  if (manifest === null || !pace.permits(manifest)) return 'done';
  if (!isSignedManifest(manifest)) return 'unsigned';
  const masterKey = bytesToHex(manifest.masterKey);
  const isNews = () => manifest.sequence > known.sequenceOf(masterKey) && pace.permits(manifest);
  const data = { network: deps.network, manifest: encodeBase64(manifest.bytes) };
  await appendIf(deps, isNews, { type: 'ValidatorManifestPublished', data });
  return 'done';
}

function readIfNews(known: KnownValidators, bytes: Uint8Array): Manifest | null {
  try {
    const manifest = readManifest(bytes);
    const masterKey = bytesToHex(manifest.masterKey);
    if (!known.isListed(masterKey) || manifest.sequence <= known.sequenceOf(masterKey)) return null;
    return manifest;
  } catch (error) {
    if (error instanceof BadEvidence) return null;
    throw error;
  }
}

/** Appends once, also if several processes have the same news. */
async function appendIf(
  { store, network, refresh }: PublishDeps,
  isNews: () => boolean,
  event: ValidatorEvent,
): Promise<void> {
  while (isNews()) {
    const expectedVersion = await refresh();
    if (!isNews()) return;
    const stream = streams.validators(network);
    try {
      await store.append(
        [{ organisationId: null, stream, expectedVersion, events: [event] }],
        meta,
      );
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error;
    }
    await refresh();
  }
}

function notByPublisher(publisherKey: string): BadEvidence {
  return new BadEvidence('publisher', `the answer is no list by the publisher ${publisherKey}`);
}
