import { bytesToHex } from '@noble/hashes/utils.js';
import { test } from 'tap';
import { attestationTimes } from '../../../ops/crash/attestation-times.ts';
import { auditAttestations } from '../../../ops/crash/audit-attestations.ts';
import { LoggedLedgers } from '../../../ops/crash/logged-ledgers.ts';
import type { StoredEvent } from '../../../src/event-store/stored-event.ts';
import { encodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import { packChain } from '../../../src/verifier/evidence/header-chain.ts';
import { laterHeaders, syntheticNetwork, writeHeader } from '../../support/synthetic-network.ts';

const network = syntheticNetwork(4);
const { publisherKey } = network;
const first = writeHeader({ index: 100, closeTime: 800_000_000 });
const later = laterHeaders(first, 3);
const [, , third = first] = later;
const names = ({ index, hash }: typeof first) => {
  return { ledgerId: '1-A', ledgerIndex: index, ledgerHash: hash.toUpperCase() };
};
const published = { type: 'ValidatorListPublished', data: { sequence: 1, ...network.list() } };
const anchored = {
  type: 'Anchored',
  data: { ...names(first), ledgerHeader: bytesToHex(first.bytes) },
};
const attestedBy = (signed: number) => ({
  type: 'LedgerAttested',
  data: {
    ...names(third),
    ledgerHeader: bytesToHex(third.bytes),
    validations: network.validations(third, signed).map(({ bytes }) => encodeBase64(bytes)),
    manifests: [],
    validatorLists: [{ publisherKey, sequence: 1 }],
  },
});
const linkedBy = (chain: typeof later) => ({
  type: 'LedgerLinked',
  data: {
    ...{ ...names(first), links: encodeBase64(packChain(first, chain)) },
    next: { ledgerIndex: third.index, ledgerHash: third.hash.toUpperCase() },
  },
});

/** The log of these events, one in each second. */
function logged(...events: readonly object[]): LoggedLedgers {
  const log = new LoggedLedgers();
  events.forEach((event, second) => {
    const recordedAt = new Date(second * 1_000).toISOString();
    log.fold({ ...event, recordedAt } as unknown as StoredEvent);
  });
  return log;
}

function found({ ledgers, attestations, lists }: LoggedLedgers) {
  const evidence = { ledgers, attestations, lists, publisherKeys: [publisherKey] };
  return auditAttestations(evidence).map(({ kind }) => kind);
}

test('an audit finds nothing in a ledger that is linked to an attested one', async (t) => {
  const log = logged(published, anchored, attestedBy(4), linkedBy(later));
  t.ok(log.areAttested);
  t.strictSame(found(log), []);
  t.match(attestationTimes(log.ledgers), {
    ...{ ledgers: 1, linkedLedgers: 1, proofs: 1, attestedProofs: 1, linkedProofs: 1 },
    ms: { p50: 2_000, p99: 2_000, max: 2_000 },
  });
});

test('an audit finds a ledger that is not attested', async (t) => {
  const log = logged(published, anchored);
  t.notOk(log.areAttested);
  t.strictSame(found(log), ['notAttested']);
});

test('an audit finds evidence that the verifier refuses', async (t) => {
  const few = logged(published, anchored, attestedBy(3), linkedBy(later));
  t.strictSame(found(few), ['falselyAttested'], 'three of four validators');
  const elsewhere = logged(published, anchored, attestedBy(4), linkedBy(later.slice(0, 2)));
  t.strictSame(found(elsewhere), ['falselyAttested'], 'links to another ledger');
  const nowhere = logged(published, anchored, linkedBy(later));
  t.strictSame(found(nowhere), ['falselyAttested'], 'links to a ledger without signatures');
});
