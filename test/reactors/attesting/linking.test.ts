import { test } from 'tap';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { anchoredIn, closeTime, linkingSite } from '../../support/linking-site.ts';
import { laterHeaders, writeHeader } from '../../support/synthetic-network.ts';

const first = writeHeader({ index: 100, closeTime });
const later = laterHeaders(first, 3);
const [second = first, , fourth = first] = later;

test('a ledger whose validations were missed is linked to the next one that has them', async (t) => {
  const { linking, hear, types, fold } = linkingSite([first], later);
  hear(fourth);
  await linking.link();
  t.strictSame(types(), ['LedgerAttested 103', 'LedgerLinked 100']);
  t.equal(fold.size, 0);
});

test('validators of another chain after a reset attest nothing of the chain before', async (t) => {
  const begun = writeHeader({ index: 101, closeTime: closeTime + 60 });
  const reset = [begun, ...laterHeaders(begun, 2)];
  const { linking, hear, types, fold, forked } = linkingSite([first, second], [...later, ...reset]);
  hear(reset.at(-1) ?? begun);
  await linking.link();
  t.strictSame(types(), [], 'the signed ledger of the other chain is not recorded either');
  t.strictSame(forked, [101, 100]);
  t.equal(fold.size, 2);
});

test('one ledger that fails does not keep the others from being attested or linked', async (t) => {
  const site = linkingSite([first, second, fourth], later, { fails: (index) => index === 101 });
  site.hear(second);
  site.hear(fourth);
  await t.rejects(site.attesting.attest(), { message: 'the server fails' });
  t.strictSame(site.types(), ['LedgerAttested 103']);
  await t.resolves(site.linking.link());
  t.strictSame(site.types(), ['LedgerAttested 103', 'LedgerLinked 100']);
});

test('a ledger that no server can show is not asked for again at once', async (t) => {
  const { attesting, hear, asked } = linkingSite([first], [], { fails: () => true });
  hear(first);
  await t.rejects(attesting.attest());
  await attesting.attest();
  await attesting.attest();
  t.strictSame(asked, [100]);
});

test('a process that loses the race takes the outcome from the log', async (t) => {
  const { attesting, fold, hear } = linkingSite([first], later, { lost: true });
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

test('a forged ledger does not keep the true one of its index from being attested', async (t) => {
  const forged = writeHeader({ index: 101, closeTime: closeTime + 7 });
  for (const anchored of [
    [forged, second],
    [second, forged],
  ]) {
    const { attesting, linking, fold, forked, hear, types } = linkingSite([], later);
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
  const { attesting, linking, fold, forked, hear, types } = linkingSite([], later);
  fold.observe([forged, second, fourth].map(anchoredIn), 3);
  hear(fourth);
  await attesting.attest();
  await linking.link();
  t.strictSame(types(), ['LedgerAttested 103', 'LedgerLinked 101']);
  t.strictSame(forked, [101]);
  t.equal(fold.size, 0);
});

test('a forged ledger is refuted by a quorum for a chain that goes on from an attested one', async (t) => {
  const forged = writeHeader({ index: 101, closeTime: closeTime + 7 });
  const { linking, fold, forked, attested, hear, types } = linkingSite([], [first, ...later]);
  attested(first);
  fold.observe([forged].map(anchoredIn), 1);
  hear(fourth);
  await linking.link();
  t.strictSame(types(), ['LedgerAttested 103']);
  t.ok(forked.includes(101));
  t.equal(fold.size, 0, 'it waits for no other transaction of ours');
});

test('after a reset the other chain refutes nothing, although ledgers were attested before', async (t) => {
  const begun = writeHeader({ index: 100, closeTime: closeTime + 60 });
  const reset = [begun, ...laterHeaders(begun, 3)];
  const headers = [...later, ...reset];
  const { linking, hear, types, fold, forked, attested } = linkingSite([second], headers);
  attested(first);
  hear(reset.at(-1) ?? begun);
  await linking.link();
  t.strictSame(types(), []);
  t.strictSame(forked, [101]);
  t.equal(fold.size, 1);
});

/** Attested ledgers 20 and 40 after the first one, and the headers between. */
const chain = [first, ...laterHeaders(first, 40)];
const at = (place: number) => chain[place] ?? first;

test('ledgers before a header that no server has are not tried in the same turn, others are', async (t) => {
  const pending = [2, 4, 6, 22, 24, 26].map(at);
  const headers = chain.filter((header) => header !== at(30));
  const { linking, types, askedHeaders, attested, nextTurn } = linkingSite(pending, headers);
  attested(at(20));
  attested(at(40));
  await linking.link();
  t.strictSame(types(), ['LedgerLinked 106', 'LedgerLinked 104', 'LedgerLinked 102']);
  t.equal(askedHeaders.filter((index) => index === 130).length, 1);
  await nextTurn();
  t.strictSame(askedHeaders, [130]);
});

test('a turn to link ends in time, and the next one begins with other ledgers', async (t) => {
  const site = linkingSite([15, 38, 22].map(at), chain, { msPerHeader: 1_000 });
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
