import { test } from 'tap';
import { ulid } from 'ulid';
import { blobKey, isBlobKey } from '../../../src/domain/blob/blob-key.ts';
import { BlobTooOld, checkNameable, isOrphanAge } from '../../../src/domain/blob/orphan.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';

const made = new Date('2026-03-29T01:30:00.000Z');
const organisationId = '01M7Y29B89FH0E0CSY2W2KD4FP' as OrganisationId;
const key = blobKey(organisationId, ulid(made.getTime()));
const after = (hours: number, ms = 0) => new Date(made.getTime() + hours * 3_600_000 + ms);

test('an event may name a blob for an hour, and not a millisecond longer', async (t) => {
  t.doesNotThrow(() => checkNameable(key, made));
  t.doesNotThrow(() => checkNameable(key, after(1)));
  t.throws(() => checkNameable(key, after(1, 1)), BlobTooOld);
});

test('a clock that is behind does not keep a blob from being named', async (t) => {
  t.doesNotThrow(() => checkNameable(key, after(-5)));
});

test('a blob is old enough for the sweep only when key and storage both say so', async (t) => {
  t.notOk(isOrphanAge(key, made, after(24)));
  t.ok(isOrphanAge(key, made, after(24, 1)));
  t.notOk(isOrphanAge(key, after(3), after(26)), 'stored later than its key was made');
  t.notOk(isOrphanAge(key, after(-30), after(23)), 'the storage is behind');
});

test('a key is an organisation id and a ULID in upper case, and nothing else', async (t) => {
  t.ok(isBlobKey(key));
  t.ok(key.startsWith(`${organisationId}/`));
  t.throws(() => blobKey(organisationId, 'x'), TypeError);
  t.notOk(isBlobKey(key.toLowerCase()));
  t.notOk(isBlobKey(`${key}/`));
});
