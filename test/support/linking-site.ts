import { bytesToHex } from '@noble/hashes/utils.js';
import type { AttestationEvent } from '../../src/domain/attestation/events.ts';
import { streams } from '../../src/domain/streams.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../src/event-store/stored-event.ts';
import { VersionConflict } from '../../src/event-store/version-conflict.ts';
import { LedgerUnavailable } from '../../src/ledger/ledger-unavailable.ts';
import { AttestationRecord } from '../../src/reactors/attesting/attestation-record.ts';
import { Attesting } from '../../src/reactors/attesting/attesting.ts';
import { AttestingFold, type PendingLedger } from '../../src/reactors/attesting/attesting-fold.ts';
import { CollectedValidations } from '../../src/reactors/attesting/collected-validations.ts';
import { HeaderChains } from '../../src/reactors/attesting/header-chains.ts';
import { KnownValidators } from '../../src/reactors/attesting/known-validators.ts';
import { LedgerPace } from '../../src/reactors/attesting/ledger-pace.ts';
import { Linking } from '../../src/reactors/attesting/linking.ts';
import { RecordedAttestations } from '../../src/reactors/attesting/recorded-attestations.ts';
import type { LedgerHeader } from '../../src/verifier/evidence/ledger-header.ts';
import { syntheticNetwork } from './synthetic-network.ts';

const network = syntheticNetwork(4);
/** Close time of a first ledger. */
export const closeTime = 800_000_000;

/** A ledger with a transaction of ours. */
export const pendingOf = ({ index, hash, bytes }: LedgerHeader): PendingLedger => ({
  ...{ ledgerId: '1-A', ledgerIndex: index, ledgerHash: hash.toUpperCase(), closeTime },
  ...{ ledgerHeader: bytesToHex(bytes), since: '2026-01-01T00:00:00.000Z' },
});

/** A reactor with these pending ledgers, whose servers have these headers. */
export function linkingSite(
  pending: readonly LedgerHeader[],
  headers: readonly LedgerHeader[],
  {
    fails = () => false,
    lost = false,
    msPerHeader = 0,
    restMs = 60_000,
  }: {
    readonly fails?: (index: number) => boolean;
    readonly lost?: boolean;
    /** Time that the servers take for each header. */
    readonly msPerHeader?: number;
    /** Between two turns to link. */
    readonly restMs?: number;
  } = {},
) {
  const known = new KnownValidators([network.publisherKey]);
  const published = {
    network: 'testnet',
    publisherKey: network.publisherKey,
    sequence: 1,
  } as const;
  known.observe({ type: 'ValidatorListPublished', data: { ...published, ...network.list() } });
  const collected = new CollectedValidations(known);
  const fold = new AttestingFold(0, { pending: pending.map(pendingOf), attested: [] });
  const recorded: AttestationEvent[] = [];
  const append: EventStore['append'] = async (entries) => {
    if (lost) throw new VersionConflict([]);
    recorded.push(...(entries.flatMap(({ events }) => events) as unknown as AttestationEvent[]));
    return { firstPosition: 0, lastPosition: 0, eventIds: [], recordedAt: '' };
  };
  const readLast = async (stream: string) => {
    const nameOf = ({ data }: AttestationEvent) =>
      streams.attestation(data.ledgerId, data.ledgerIndex);
    return recorded.find((event) => nameOf(event) === stream) ?? null;
  };
  const pages: number[] = [];
  const readStreams = async (names: readonly string[]) => {
    pages.push(names.length);
    const found = await Promise.all(
      names.map(async (name) => [name, await readLast(name)] as const),
    );
    return new Map(found.flatMap(([name, event]) => (event === null ? [] : [[name, [event]]])));
  };
  const store = { append, readLast, readStreams } as unknown as EventStore;
  const asked: number[] = [];
  const ledger = async (index: number) => {
    asked.push(index);
    if (fails(index)) throw new LedgerUnavailable('the server fails');
    return { transactions: [] } as never;
  };
  const record = new AttestationRecord({ store, ledger, known, fold });
  const forked: number[] = [];
  const clock = { nowMs: 0 };
  const waits = { lateMs: 0, graceMs: 0, retryMs: 60_000, restMs, turnMs: 10_000 };
  const pace = new LedgerPace(waits, () => clock.nowMs);
  const shared = {
    ...{ record, collected, fold, pace },
    onForked: ({ ledgerIndex }: PendingLedger) => forked.push(ledgerIndex),
  };
  const askedHeaders: number[] = [];
  const givenUp: number[][] = [];
  let turns = 0;
  const header = async (index: number, hash: string) => {
    askedHeaders.push(index);
    clock.nowMs += msPerHeader;
    const found = headers.find((one) => one.hash === hash.toLowerCase());
    return found ? bytesToHex(found.bytes) : null;
  };
  const attesting = new Attesting(shared);
  const linking = new Linking({
    ...shared,
    headers: new HeaderChains({ header }),
    recorded: new RecordedAttestations(store),
    turn: {
      take: async () => true,
      giveUp: async () => {
        turns += 1;
      },
    },
    onGivenUp: (ledgers) => givenUp.push(ledgers.map(({ ledgerIndex }) => ledgerIndex)),
  });
  const hear = (heard: Pick<LedgerHeader, 'index' | 'hash'>, validators = 4) => {
    for (const one of network.validations(heard, validators)) collected.add(one);
  };
  const types = () => recorded.map(({ type, data }) => `${type} ${data.ledgerIndex}`);
  const wait = (ms: number) => {
    clock.nowMs += ms;
  };
  const nextTurn = async () => {
    clock.nowMs += 60_000;
    askedHeaders.length = 0;
    await linking.link();
  };
  const attested = ({ index, hash }: LedgerHeader) => {
    const ledgerHash = hash.toUpperCase();
    fold.attested({ ledgerId: '1-A', ledgerIndex: index, ledgerHash, attestedIndex: index });
  };
  return {
    ...{ attesting, linking, fold, forked, asked, hear, types },
    ...{ askedHeaders, attested, nextTurn, turns: () => turns },
    ...{ givenUp, recorded, pages, wait },
  };
}

/** The record of a transaction of ours in this ledger. */
export const anchoredIn = (header: LedgerHeader): StoredEvent =>
  ({
    type: 'Anchored',
    data: pendingOf(header),
    recordedAt: '2026-01-01T00:00:00.000Z',
  }) as unknown as StoredEvent;
