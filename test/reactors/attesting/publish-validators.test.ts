import { test } from 'tap';
import type { ValidatorEvent } from '../../../src/domain/attestation/events.ts';
import type { EventStore } from '../../../src/event-store/event-store.ts';
import { KnownValidators } from '../../../src/reactors/attesting/known-validators.ts';
import { ManifestPace } from '../../../src/reactors/attesting/manifest-pace.ts';
import {
  publishLists,
  publishManifest,
} from '../../../src/reactors/attesting/publish-validators.ts';
import { BadEvidence } from '../../../src/verifier/evidence/bad-evidence.ts';
import { encodeBase64 } from '../../../src/verifier/evidence/base64.ts';
import {
  type SyntheticSigner,
  syntheticNetwork,
  syntheticSigner,
  writeList,
  writeManifest,
} from '../../support/synthetic-network.ts';

const { publisher, publisherKey, validators } = syntheticNetwork(4);
/** The same publisher with its second signing key. */
const rotated = syntheticSigner('network publisher', 2);
const revocation = writeManifest(publisher.master, null, 0xffff_ffff);
const now = 800_000_000;

/** A log in memory, and a process that reads it. */
function publishing(events: ValidatorEvent[] = [], clock = () => 0) {
  const known = new KnownValidators([publisherKey]);
  const pace = new ManifestPace(clock);
  let folded = 0;
  const refresh = async () => {
    for (const event of events.slice(folded)) {
      known.observe(event);
      pace.observe({ ...event, recordedAt: new Date(clock()).toISOString() });
    }
    folded = events.length;
    return folded;
  };
  const append: EventStore['append'] = async (entries) => {
    events.push(...(entries.flatMap((entry) => entry.events) as unknown as ValidatorEvent[]));
    return { firstPosition: 0, lastPosition: 0, eventIds: [], recordedAt: '' };
  };
  const store = { append } as unknown as EventStore;
  return {
    events,
    known,
    refresh,
    deps: { store, network: 'testnet', known, pace, refresh } as const,
  };
}

const listBy = (signer: SyntheticSigner, sequence: number) =>
  writeList(signer, validators, { sequence });

test('records each sequence of a list once', async (t) => {
  const { events, deps } = publishing();
  for (const sequence of [1, 1, 2])
    await publishLists(deps, publisherKey, listBy(publisher, sequence));
  t.strictSame(
    events.map(({ type, data }) => [type, 'sequence' in data && data.sequence]),
    [
      ['ValidatorListPublished', 1],
      ['ValidatorListPublished', 2],
    ],
  );
});

test("does not record a list that is signed with a publisher's replaced key", async (t) => {
  const { events, deps } = publishing();
  await publishLists(deps, publisherKey, listBy(publisher, 1));
  await publishLists(deps, publisherKey, listBy(rotated, 2));
  const replaced = publishLists(deps, publisherKey, listBy(publisher, 3));
  await t.rejects(
    replaced,
    new BadEvidence(
      'publisher',
      `the publisher ${publisherKey} has replaced the key that signed the list`,
    ),
  );
  t.equal(events.length, 2);
  await publishLists(deps, publisherKey, listBy(rotated, 3));
  t.equal(events.length, 3);
});

test('a process that starts later knows the replaced key from the log', async (t) => {
  const { events, deps } = publishing();
  await publishLists(deps, publisherKey, listBy(rotated, 2));
  const later = publishing(events);
  await later.refresh();
  await t.rejects(publishLists(later.deps, publisherKey, listBy(publisher, 3)), BadEvidence);
});

test('records that a publisher revoked its key, and uses its lists no longer', async (t) => {
  const { events, deps, known } = publishing();
  await publishLists(deps, publisherKey, listBy(publisher, 1));
  t.equal(known.listsAt(now).length, 1);
  const revoked = { ...listBy(publisher, 2), manifest: encodeBase64(revocation) };
  await t.rejects(publishLists(deps, publisherKey, revoked), BadEvidence);
  await t.rejects(publishLists(deps, publisherKey, revoked), BadEvidence);
  t.strictSame(
    events.map(({ type }) => type),
    ['ValidatorListPublished', 'PublisherRevoked'],
  );
  t.strictSame(known.listsAt(now), []);
  await t.rejects(publishLists(deps, publisherKey, listBy(rotated, 3)), BadEvidence);
});

test('ignores a revocation that the publisher did not sign', async (t) => {
  const { events, deps } = publishing();
  const [other = publisher] = validators;
  const forged = writeManifest({ ...publisher.master, sign: other.master.sign }, null, 0xffff_ffff);
  const list = { ...listBy(publisher, 1), manifest: encodeBase64(forged) };
  await t.rejects(publishLists(deps, publisherKey, list), BadEvidence);
  t.strictSame(events, []);
});

test('records one manifest of a validator a minute and 20 a day, but always a revocation', async (t) => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const { events, deps } = publishing([], () => time);
  await publishLists(deps, publisherKey, listBy(publisher, 1));
  const [first = publisher, second = publisher] = validators;
  let sequence = 1;
  const rotate = async (validator: SyntheticSigner) => {
    sequence += 1;
    await publishManifest(deps, writeManifest(validator.master, validator.signing, sequence));
    return events.length - 1;
  };
  for (let nth = 0; nth < 5; nth += 1) t.equal(await rotate(first), 1, 'once in this minute');
  t.equal(await rotate(second), 2, 'another validator is not limited by the first');
  for (let minute = 0; minute < 100; minute += 1) {
    time += 60_000;
    await rotate(first);
  }
  t.equal(events.length - 1, 21, '20 in this day, and the one of another');
  time += 86_400_000;
  t.equal(await rotate(first), 22, 'again on the next day');
  await publishManifest(deps, writeManifest(first.master, null, 0xffff_ffff));
  t.equal(events.length - 1, 23, 'a revocation is recorded at once');
});
