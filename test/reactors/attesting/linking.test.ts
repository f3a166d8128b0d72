import { bytesToHex } from '@noble/hashes/utils.js';
import { test } from 'tap';
import type { AttestationEvent } from '../../../src/domain/attestation/events.ts';
import { streams } from '../../../src/domain/streams.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { VersionConflict } from '../../../src/event-store/version-conflict.ts';
import { LedgerUnavailable } from '../../../src/ledger/ledger-unavailable.ts';
import { AttestationRecord } from '../../../src/reactors/attesting/attestation-record.ts';
import { Attesting } from '../../../src/reactors/attesting/attesting.ts';
import {
  AttestingFold,
  type PendingLedger,
} from '../../../src/reactors/attesting/attesting-fold.ts';
import { CollectedValidations } from '../../../src/reactors/attesting/collected-validations.ts';
import { HeaderChains } from '../../../src/reactors/attesting/header-chains.ts';
import { KnownValidators } from '../../../src/reactors/attesting/known-validators.ts';
import { LedgerPace } from '../../../src/reactors/attesting/ledger-pace.ts';
import { Linking } from '../../../src/reactors/attesting/linking.ts';
import type { LedgerHeader } from '../../../src/verifier/evidence/ledger-header.ts';
import { laterHeaders, syntheticNetwork, writeHeader } from '../../support/synthetic-network.ts';

const network = syntheticNetwork(4);
const closeTime = 800_000_000;

const pendingOf = ({ index, hash, bytes }: LedgerHeader): PendingLedger => ({
  ...{ ledgerId: '1-A', ledgerIndex: index, ledgerHash: hash.toUpperCase(), closeTime },
  ...{ ledgerHeader: bytesToHex(bytes), since: '2026-01-01T00:00:00.000Z' },
});

/** A reactor with these pending ledgers, whose servers have these headers. */
function attestingSite(
  pending: readonly LedgerHeader[],
  headers: readonly LedgerHeader[],
  {
    fails = () => false,
    lost = false,
    msPerHeader = 0,
  }: {
    readonly fails?: (index: number) => boolean;
    readonly lost?: boolean;
    /** Time that the servers take for each header. */
    readonly msPerHeader?: number;
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
  const store = { append, readLast } as unknown as EventStore;
  const asked: number[] = [];
  const ledger = async (index: number) => {
    asked.push(index);
    if (fails(index)) throw new LedgerUnavailable('the server fails');
    return { transactions: [] } as never;
  };
  const record = new AttestationRecord({ store, ledger, known, fold });
  const forked: number[] = [];
  const clock = { nowMs: 0 };
  const waits = { lateMs: 0, graceMs: 0, retryMs: 60_000, restMs: 60_000, turnMs: 10_000 };
  const pace = new LedgerPace(waits, () => clock.nowMs);
  const shared = {
    ...{ record, collected, fold, pace },
    onForked: ({ ledgerIndex }: PendingLedger) => forked.push(ledgerIndex),
  };
  const askedHeaders: number[] = [];
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
    turn: {
      take: async () => true,
      giveUp: async () => {
        turns += 1;
      },
    },
    onGivenUp: () => {},
  });
  const hear = (heard: LedgerHeader) => {
    for (const validation of network.validations(heard)) collected.add(validation);
  };
  const types = () => recorded.map(({ type, data }) => `${type} ${data.ledgerIndex}`);
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
  };
}

const first = writeHeader({ index: 100, closeTime });
const later = laterHeaders(first, 3);
const [second = first, , fourth = first] = later;

test('a ledger whose validations were missed is linked to the next one that has them', async (t) => {
  const { linking, hear, types, fold } = attestingSite([first], later);
  hear(fourth);
  await linking.link();
  t.strictSame(types(), ['LedgerAttested 103', 'LedgerLinked 100']);
  t.equal(fold.size, 0);
});

test('validators of another chain after a reset attest nothing of the chain before', async (t) => {
  const begun = writeHeader({ index: 101, closeTime: closeTime + 60 });
  const reset = [begun, ...laterHeaders(begun, 2)];
  const { linking, hear, types, fold, forked } = attestingSite(
    [first, second],
    [...later, ...reset],
  );
  hear(reset.at(-1) ?? begun);
  await linking.link();
  t.strictSame(types(), [], 'the signed ledger of the other chain is not recorded either');
  t.strictSame(forked, [101, 100]);
  t.equal(fold.size, 2);
});

test('one ledger that fails does not keep the others from being attested or linked', async (t) => {
  const site = attestingSite([first, second, fourth], later, { fails: (index) => index === 101 });
  site.hear(second);
  site.hear(fourth);
  await t.rejects(site.attesting.attest(), { message: 'the server fails' });
  t.strictSame(site.types(), ['LedgerAttested 103']);
  await t.resolves(site.linking.link());
  t.strictSame(site.types(), ['LedgerAttested 103', 'LedgerLinked 100']);
});

test('a ledger that no server can show is not asked for again at once', async (t) => {
  const { attesting, hear, asked } = attestingSite([first], [], { fails: () => true });
  hear(first);
  await t.rejects(attesting.attest());
  await attesting.attest();
  await attesting.attest();
  t.strictSame(asked, [100]);
});

test('a process that loses the race takes the outcome from the log', async (t) => {
  const { attesting, fold, hear } = attestingSite([first], later, { lost: true });
  hear(first);
  await attesting.attest();
  t.equal(fold.nextAttested('1-A', 99), null, 'it invents no outcome');
  t.equal(fold.size, 1);
  const data = {
    ...{ ledgerId: '1-A', ledgerIndex: 100, ledgerHash: first.hash.toUpperCase() },
    attestedIndex: 103,
  };
  fold.observe([{ type: 'LedgerLinked', data } as unknown as StoredEvent], 7);
  t.match(fold.nextAttested('1-A', 99), { ledgerIndex: 100, attestedIndex: 103 });
  t.equal(fold.size, 0);
});

/** The record of a transaction of ours in this ledger. */
const anchoredIn = (header: LedgerHeader): StoredEvent =>
  ({
    type: 'Anchored',
    data: pendingOf(header),
    recordedAt: '2026-01-01T00:00:00.000Z',
  }) as unknown as StoredEvent;

test('a forged ledger does not keep the true one of its index from being attested', async (t) => {
  const forged = writeHeader({ index: 101, closeTime: closeTime + 7 });
  for (const anchored of [
    [forged, second],
    [second, forged],
  ]) {
    const { attesting, linking, fold, forked, hear, types } = attestingSite([], later);
    fold.observe(anchored.map(anchoredIn), 2);
    t.equal(fold.size, 2);
    hear(second);
    hear(fourth);
    await attesting.attest();
    t.strictSame(types(), ['LedgerAttested 101']);
    await linking.link();
    t.strictSame(types(), ['LedgerAttested 101'], 'nothing is recorded for the forged one');
    t.strictSame(forked, [101]);
    t.equal(fold.size, 0, 'nothing can attest it any more');
  }
});

test('a forged ledger that the chain of an attested one leaves out is not pending for ever', async (t) => {
  const forged = writeHeader({ index: 101, closeTime: closeTime + 7 });
  const { attesting, linking, fold, forked, hear, types } = attestingSite([], later);
  fold.observe([forged, second, fourth].map(anchoredIn), 3);
  hear(fourth);
  await attesting.attest();
  await linking.link();
  t.strictSame(types(), ['LedgerAttested 103', 'LedgerLinked 101']);
  t.strictSame(forked, [101]);
  t.equal(fold.size, 0);
});

/** Attested ledgers 20 and 40 after the first one, and the headers between. */
const chain = [first, ...laterHeaders(first, 40)];
const at = (place: number) => chain[place] ?? first;

test('ledgers before a header that no server has are not tried in the same turn, others are', async (t) => {
  const pending = [2, 4, 6, 22, 24, 26].map(at);
  const headers = chain.filter((header) => header !== at(30));
  const { linking, types, askedHeaders, attested, nextTurn } = attestingSite(pending, headers);
  attested(at(20));
  attested(at(40));
  await linking.link();
  t.strictSame(types(), ['LedgerLinked 106', 'LedgerLinked 104', 'LedgerLinked 102']);
  t.equal(askedHeaders.filter((index) => index === 130).length, 1);
  await nextTurn();
  t.strictSame(askedHeaders, [130]);
});

test('a turn to link ends in time, and the next one begins with other ledgers', async (t) => {
  const site = attestingSite([15, 38, 22].map(at), chain, { msPerHeader: 1_000 });
  const { linking, types, askedHeaders, attested, nextTurn, turns } = site;
  attested(at(20));
  attested(at(40));
  await linking.link();
  t.strictSame(types(), ['LedgerLinked 138']);
  t.strictSame(askedHeaders, [140, 139, 138, 137, 136, 135, 134, 133, 132, 131]);
  t.equal(turns(), 1, 'another process may try');
  await nextTurn();
  t.strictSame(types(), ['LedgerLinked 138', 'LedgerLinked 115']);
  t.strictSame(askedHeaders, [120, 119, 118, 117, 116, 130, 129, 128, 127, 126]);
  await nextTurn();
  t.strictSame(askedHeaders, [125, 124, 123], 'the walk goes on');
  t.strictSame(types().slice(2), ['LedgerLinked 122']);
});
