import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Test } from 'tap';
import { proofDecider } from '../../src/domain/proof/decider.ts';
import type { PreparedAnchor } from '../../src/domain/proof/state.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { StoreUnavailable } from '../../src/event-store/connection-loss.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { handleStreams } from '../../src/event-store/handling/handle.ts';
import { load } from '../../src/event-store/handling/load.ts';
import { transactionTreeHash } from '../../src/ledger/transaction-tree.ts';
import { proofEntries } from '../../src/loading/proof-entries.ts';
import type { LogSignal } from '../../src/subscriptions/log-signal.ts';
import { transactionHash } from '../../src/verifier/evidence/transaction-path.ts';
import { writeHeader } from './synthetic-network.ts';

/** Appends the events of anchoring when the test says so, without a ledger. */
export interface ScriptedAnchoring {
  readonly ledgerId: string;
  /** Waits until this many proofs have been requested in all; resolves with the last one's id. */
  requested(count: number): Promise<ProofId>;
  /** `previous` is the transaction that the memo names. */
  prepare(proofId: ProofId, previous?: string): Promise<PreparedAnchor>;
  /**
   * Anchors a proof, after preparing it if necessary, in a ledger of its own. `closeTimeIso` only
   * changes the recorded text.
   */
  anchor(proofId: ProofId, closeTimeIso?: string): Promise<PreparedAnchor>;
  expire(proofId: ProofId, reason?: 'absent' | 'failed'): Promise<void>;
  /**
   * Anchors every proof at its request from now on, until the test ends.
   * - `organisations`: ids of the organisations whose proofs are anchored, by default all.
   */
  follow(t: Pick<Test, 'teardown'>, organisations?: ReadonlySet<string>): void;
}

export const anchoredAt = { closeTime: 817_000_000, closeTimeIso: '2025-11-21T00:26:40.000Z' };
export const anchoringAccount = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const meta = { actor: 'anchoring' } as const;
const metadata = '00';

/** The only transaction of a scripted ledger. */
export function itemOf({ transactionHash: hash, blob }: PreparedAnchor) {
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  return { hash: bytes(hash), blob: bytes(blob), metadata: bytes(metadata) };
}

export async function createScriptedAnchoring(
  store: EventStore,
  options: {
    readonly standalone?: boolean;
    /** Wakes `follow`, which otherwise polls. */
    readonly signal?: Pick<LogSignal, 'hints'>;
  } = {},
): Promise<ScriptedAnchoring> {
  const ledgerId = `1-${randomHash()}`;
  const { standalone = false } = options;
  const joined = {
    type: 'LedgerJoined',
    data: {
      ledgerId,
      network: 'testnet',
      networkId: 1,
      standalone,
      index: 1,
      hash: randomHash(),
      closeTime: 1,
    },
  } as const;
  await store.append(
    [
      {
        organisationId: null,
        stream: streams.ledger(ledgerId),
        expectedVersion: 0,
        events: [joined],
      },
    ],
    meta,
  );
  let ledgerIndex = 100;

  const prepare = async (proofId: ProofId, previous?: string): Promise<PreparedAnchor> => {
    const { state } = await load(store, streams.proof(proofId), proofDecider);
    if (state.status !== 'pending') throw new Error(`${proofId} is ${state.status}`);
    const blob = randomHash();
    const prepared: PreparedAnchor = {
      ledgerId,
      transactionHash: bytesToHex(transactionHash(hexToBytes(blob))).toUpperCase(),
      blob,
      hashScheme: state.request.hashScheme,
      previousTransactionHash: previous ?? null,
      account: anchoringAccount,
      sequence: 1,
      feeDrops: 10,
      minLedger: ledgerIndex,
      lastLedgerSequence: ledgerIndex + 8,
      replaces: null,
    };
    const decide = () =>
      proofEntries(store, proofId, (now) => proofDecider.prepareAnchor(now, prepared));
    await handleStreams(store, decide, meta);
    return prepared;
  };

  const processing = async (proofId: ProofId): Promise<PreparedAnchor> => {
    const { state } = await load(store, streams.proof(proofId), proofDecider);
    if (state.status === 'processing') return state.prepared;
    if (state.status !== 'pending') throw new Error(`${proofId} is ${state.status}`);
    return prepare(proofId, await previousOf(state.request.document?.previousProofId ?? null));
  };

  /** Transaction of the previous revision. */
  const previousOf = async (proofId: ProofId | null): Promise<string | undefined> => {
    if (proofId === null) return undefined;
    const { state } = await load(store, streams.proof(proofId), proofDecider);
    return state.status === 'completed' ? state.anchor.transactionHash : undefined;
  };

  const anchor = async (proofId: ProofId, closeTimeIso?: string): Promise<PreparedAnchor> => {
    const prepared = await processing(proofId);
    ledgerIndex += 1;
    const { closeTime } = anchoredAt;
    const transactionRoot = transactionTreeHash([itemOf(prepared)]).toLowerCase();
    const header = writeHeader({ index: ledgerIndex, transactionRoot, closeTime });
    const anchored = {
      ledgerId,
      transactionHash: prepared.transactionHash,
      ledgerIndex,
      ledgerHash: header.hash.toUpperCase(),
      ...{ closeTime, closeTimeIso: closeTimeIso ?? anchoredAt.closeTimeIso },
      ...{ transactionIndex: 0, metadata },
      ledgerHeader: bytesToHex(header.bytes).toUpperCase(),
    };
    const decide = () =>
      proofEntries(store, proofId, (state) => proofDecider.recordAnchor(state, anchored));
    await handleStreams(store, decide, meta);
    return prepared;
  };

  return {
    ledgerId,
    prepare,
    anchor,
    follow(t, organisations) {
      let following = true;
      let isHinted = false;
      let wake = () => {};
      const hints = options.signal?.hints.subscribe(() => {
        isHinted = true;
        wake();
      });
      const hint = () =>
        new Promise<void>((resolve) => {
          wake = resolve;
          if (isHinted || !following) resolve();
        });
      const run = async () => {
        for (let position = 0; following; await (hints ? hint() : delay(10))) {
          isHinted = false;
          const requests = await store.readLog(position, 1_000, ['ProofRequested']);
          for (const event of requests) {
            const isFollowed = organisations?.has(event.organisationId ?? '') ?? true;
            if (isFollowed) await anchor(event.stream.slice('proof-'.length) as ProofId);
            position = event.position;
          }
        }
      };
      const running = run().catch((error: unknown) => {
        // A test may stop its database while the last read is under way.
        if (!(error instanceof StoreUnavailable)) throw error;
      });
      t.teardown(() => {
        following = false;
        hints?.unsubscribe();
        wake();
        return running;
      });
    },
    async requested(count) {
      for (;;) {
        const events = await store.readLog(0, 100_000, ['ProofRequested']);
        const wanted = events[count - 1];
        if (wanted) return wanted.stream.slice('proof-'.length) as ProofId;
        await delay(10);
      }
    },
    async expire(proofId, reason = 'absent') {
      const { transactionHash } = await processing(proofId);
      const expiry = { transactionHash, reason, engineResult: null };
      const decide = () =>
        proofEntries(store, proofId, (state) => proofDecider.recordExpiry(state, expiry));
      await handleStreams(store, decide, meta);
    },
  };
}

/** A random transaction hash as the ledger writes it: 64 upper-case hexadecimal characters. */
export function randomHash(): string {
  return randomBytes(32).toString('hex').toUpperCase();
}

/** A random SHA-256 as a caller posts it. */
export function randomDigest(): string {
  return randomBytes(32).toString('hex');
}
