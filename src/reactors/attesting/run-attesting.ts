import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { defer, exhaustMap, filter, from, merge, retry, tap, timer } from 'rxjs';
import { type Network, networkIds } from '../../domain/network.ts';
import { streams } from '../../domain/streams.ts';
import type { EventStore, LogReader } from '../../event-store/event-store.ts';
import type { StoredEvent } from '../../event-store/stored-event.ts';
import type { ValidatorFeed, ValidatorMessage } from '../../ledger/validator-feed.ts';
import { followLog } from '../../subscriptions/follow-log.ts';
import type { LogSignal } from '../../subscriptions/log-signal.ts';
import type { ReactorCheckpoints } from '../../subscriptions/reactor-checkpoint.ts';
import type { WorkLocks } from '../../subscriptions/work-locks.ts';
import { BadEvidence } from '../../verifier/evidence/bad-evidence.ts';
import { nodeKey } from '../../verifier/evidence/base58.ts';
import { decodeBase64 } from '../../verifier/evidence/base64.ts';
import { maxManifestBytes } from '../../verifier/evidence/limits.ts';
import { isSignedManifest, readManifest } from '../../verifier/evidence/manifest.ts';
import { readValidation, type Validation } from '../../verifier/evidence/validation.ts';
import { Attesting, type AttestingDeps, type AttestingWaits, defaultWaits } from './attesting.ts';
import {
  AttestingFold,
  type AttestingState,
  attestingTypes,
  type PendingLedger,
} from './attesting-fold.ts';
import { CollectedValidations } from './collected-validations.ts';
import { KnownValidators } from './known-validators.ts';
import { publishLists, publishManifest } from './publish-validators.ts';

/** Address of a published list, and master key of its publisher in upper-case hex. */
export interface ValidatorListSource {
  readonly url: string;
  readonly publisherKey: string;
}

export interface AttestingOptions {
  readonly network: Network;
  readonly store: EventStore;
  /** Reads the log to follow; default `store`. */
  readonly tail?: LogReader;
  readonly signal: LogSignal;
  readonly checkpoints: ReactorCheckpoints;
  readonly locks: Pick<WorkLocks, 'hold'>;
  readonly feed: ValidatorFeed;
  /** The ledger with this hash (upper-case hex); null if no server has it. */
  readonly ledger: AttestingDeps['ledger'];
  readonly lists: readonly ValidatorListSource[];
  /** The published list at a URL, unverified. Rejects if it cannot be read. */
  readonly fetchList: (url: string) => Promise<unknown>;
  readonly waits?: AttestingWaits;
  /** Time between two requests of a list. */
  readonly listEveryMs?: number;
  readonly onError: (error: unknown) => void;
  /** Called when a list cannot be read or verified, once until it can. */
  readonly onListTrouble: (url: string, error: unknown) => void;
  /** Called once for a ledger with a transaction of ours that is not in the validated chain. */
  readonly onForked: (ledger: PendingLedger) => void;
  readonly onGivenUp: (ledger: PendingLedger) => void;
}

export interface RunningAttesting {
  readonly network: Network;
  /** Ledgers with a transaction of ours that are not attested yet. */
  pending(): number;
  /** Time of the oldest transaction in them, ISO 8601; null without any. */
  oldestPendingSince(): string | null;
  /** Position up to which the log was folded. */
  position(): number;
  stop(): Promise<void>;
}

const tickMs = 100;
const retryMs = 1_000;
const saveEveryMs = 2_000;
const defaultListEveryMs = 300_000;
/** A list that could not be read is requested again sooner. */
const listRetryMs = 20_000;
const maxWaiting = 1_000;
/** Manifests of unknown signing keys that are requested at most, in the life of the process. */
const maxAskedKeys = 1_000;

/** Events about ledgers of this network: their ids begin with the network's number. */
function ofNetwork(events: readonly StoredEvent[], network: Network): readonly StoredEvent[] {
  const id = String(networkIds[network]);
  const isOwn = (ledgerId: string) => ledgerId === id || ledgerId.startsWith(`${id}-`);
  return events.filter(({ data }) => 'ledgerId' in data && isOwn(data.ledgerId));
}

/** True for a manifest (base64) that names this signing key, with signatures that hold. */
function names(text: string, signingKey: Uint8Array): boolean {
  try {
    const manifest = readManifest(decodeBase64(text, maxManifestBytes, 'a manifest'));
    const named = manifest.signing && bytesToHex(manifest.signing.key);
    return named === bytesToHex(signingKey) && isSignedManifest(manifest);
  } catch (error) {
    if (error instanceof BadEvidence) return false;
    throw error;
  }
}

/** Name of the reactor's checkpoint. */
export function attestingCheckpoint(network: Network): string {
  return `attesting-${network}`;
}

/**
 * Collects the word of a network's validators, and records it for every ledger in which we have a
 * transaction. Any number of processes may run this. It begins at the head of the log when it runs
 * for the first time: nobody has the validations of older ledgers. Nothing waits for it.
 */
export async function runAttesting(options: AttestingOptions): Promise<RunningAttesting> {
  const { network, store, tail = store, signal, checkpoints, locks, feed, onError } = options;
  const known = new KnownValidators(options.lists.map(({ publisherKey }) => publisherKey));
  const collected = new CollectedValidations(known);
  const name = attestingCheckpoint(network);
  const saved = await checkpoints.load<AttestingState>(name);
  const start = saved ?? { position: await store.head(), state: { pending: [], attested: [] } };
  // Durable before anything is followed: after a kill the next process must not begin later.
  if (saved === null) await checkpoints.save(name, start);
  const fold = new AttestingFold(start.position, start.state);

  let folded = 0;
  /** Resolves with the version of the stream up to which lists and manifests are known. */
  const refresh = async (): Promise<number> => {
    const events = await store.readStream(streams.validators(network));
    for (const event of events.slice(folded)) known.observe(event);
    folded = Math.max(folded, events.length);
    return folded;
  };
  await refresh();
  const publishing = { store, network, known, refresh };

  const forked = new Set<string>();
  const attesting = new Attesting({
    ...{ store, feed, known, collected, fold, ledger: options.ledger },
    mayLink: async () => (await locks.hold(`attesting ${network}`)) !== null,
    onForked(ledger) {
      if (forked.has(ledger.ledgerHash)) return;
      forked.add(ledger.ledgerHash);
      options.onForked(ledger);
    },
    onGivenUp: options.onGivenUp,
    waits: options.waits ?? defaultWaits,
    clock: () => performance.now(),
  });

  /** Messages of keys that nobody is known to sign with; their manifests may be on the way. */
  const waiting: Validation[] = [];
  const addWaiting = () => {
    for (const each of waiting.splice(0)) if (!collected.add(each)) waiting.push(each);
  };
  const askedKeys = new Set<string>();
  const askManifest = async (signingKey: Uint8Array) => {
    const key = bytesToHex(signingKey);
    if (askedKeys.has(key) || askedKeys.size >= maxAskedKeys) return;
    askedKeys.add(key);
    const manifest = await feed.manifest(nodeKey(signingKey), (text) => names(text, signingKey));
    if (manifest === null) return;
    await learn(decodeBase64(manifest, maxManifestBytes, 'a manifest'));
  };
  const learn = async (manifest: Uint8Array) => {
    await publishManifest(publishing, manifest);
    addWaiting();
  };
  const receive = async (message: ValidatorMessage) => {
    const bytes = hexToBytes(message.data);
    if (message.kind === 'manifest') return learn(bytes);
    const validation = readValidation(bytes);
    if (collected.add(validation)) return;
    waiting.push(validation);
    if (waiting.length > maxWaiting) waiting.shift();
    await askManifest(validation.signingKey);
  };
  const failed = (error: unknown) => {
    // Anybody may send malformed messages; they are ignored.
    if (!(error instanceof BadEvidence)) onError(error);
  };

  const work = new Set<Promise<void>>();
  const track = (working: Promise<void>) => {
    const tracked = working.catch(failed).finally(() => work.delete(tracked));
    work.add(tracked);
    return tracked;
  };

  const followed = defer(() =>
    followLog({ store: tail, signal, after: fold.position, types: attestingTypes }),
  ).pipe(
    tap(({ events, position }) => fold.observe(ofNetwork(events, network), position)),
    retry({ delay: later }),
  );
  function later(error: unknown) {
    onError(error);
    return timer(retryMs);
  }
  /** Repeats work while something is pending, less often after a failure. */
  const repeating = (work: () => Promise<void>) => {
    let resumeAt = 0;
    const tried = () =>
      work().catch((error) => {
        resumeAt = performance.now() + retryMs;
        throw error;
      });
    return timer(tickMs, tickMs).pipe(
      filter(() => fold.size > 0 && performance.now() >= resumeAt),
      exhaustMap(() => track(tried())),
    );
  };
  const attested = repeating(() => attesting.attest());
  const linked = repeating(() => attesting.link());
  let lastSaved = -1;
  const save = async () => {
    const { position, state } = fold;
    if (position === lastSaved) return;
    await checkpoints.save(name, { position, state });
    lastSaved = position;
  };
  const saving = timer(saveEveryMs, saveEveryMs).pipe(exhaustMap(() => track(save())));

  const troubles = new Set<string>();
  const readList = async ({ url, publisherKey }: ValidatorListSource) => {
    try {
      await publishLists(publishing, publisherKey, await options.fetchList(url));
      troubles.delete(url);
      // Keys that no listed validator was known to sign with may be known now.
      askedKeys.clear();
      addWaiting();
    } catch (error) {
      if (!troubles.has(url)) options.onListTrouble(url, error);
      troubles.add(url);
    }
  };
  const { listEveryMs = defaultListEveryMs } = options;
  const reading = options.lists.map((source) => {
    let nextAt = 0;
    return timer(0, Math.min(listEveryMs, listRetryMs)).pipe(
      filter(() => performance.now() >= nextAt),
      exhaustMap(() => from(track(readList(source)))),
      tap(() => {
        nextAt = troubles.has(source.url) ? 0 : performance.now() + listEveryMs - tickMs;
      }),
    );
  });

  const running = merge(followed, attested, linked, saving, ...reading).subscribe();
  running.add(feed.messages.subscribe((message) => track(receive(message))));

  return {
    network,
    pending: () => fold.size,
    oldestPendingSince: () => fold.oldestSince,
    position: () => fold.position,
    async stop() {
      running.unsubscribe();
      attesting.stop();
      await feed.close();
      await Promise.all(work);
      await save().catch(onError);
    },
  };
}
