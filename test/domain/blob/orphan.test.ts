import { test } from 'tap';
import { ulid } from 'ulid';
import { blobKey, isBlobKey } from '../../../src/domain/blob/blob-key.ts';
import { BlobTooOld, checkNameable, isOrphanAge } from '../../../src/domain/blob/orphan.ts';
import type { OrganisationId } from '../../../src/domain/ulid.ts';

const made = new Date('2026-03-29T01:30:00.000Z');
const organisationId = '01M7Y29B89FH0E0CSY2W2KD4FP' as OrganisationId;
const key = blobKey(organisationId, ulid(made.getTime()));
const after = (hours: number, ms = 0) => new Date(made.getTime() + hours * 3_600_000 + ms);

test('an event may name a blob for exactly one hour', async (t) => {
  t.doesNotThrow(() => checkNameable(key, made));
  t.doesNotThrow(() => checkNameable(key, after(1)));
  t.throws(() => checkNameable(key, after(1, 1)), BlobTooOld);
});

test('a slow clock does not prevent an event from naming a blob', async (t) => {
  t.doesNotThrow(() => checkNameable(key, after(-5)));
});

test('a blob is old enough for the sweep only if both its key and the storage say so', async (t) => {
  t.notOk(isOrphanAge(key, made, after(24)));
  t.ok(isOrphanAge(key, made, after(24, 1)));
  t.notOk(isOrphanAge(key, after(3), after(26)), 'stored later than its key was created');
  t.notOk(isOrphanAge(key, after(-30), after(23)), "the storage's clock is behind");
});

test('accepts only an organisation id and a ULID in upper case as a key', async (t) => {
  t.ok(isBlobKey(key));
  t.ok(key.startsWith(`${organisationId}/`));
  t.throws(() => blobKey(organisationId, 'x'), TypeError);
  t.notOk(isBlobKey(key.toLowerCase()));
  t.notOk(isBlobKey(`${key}/`));
});
