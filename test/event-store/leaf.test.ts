import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { test } from 'tap';
import { leafHash, textHash } from '../../src/event-store/leaf.ts';
import { anyCharacter } from '../support/any-character.ts';
import { createTestStore } from '../support/event-store.ts';
import { markedEntry } from '../support/marked-event.ts';

test('leaf version 1 matches the literal test vectors', async (t) => {
  const data =
    '{"hashScheme":"hmac-sha256-nonce-v3","sealed":{"ct":"AAAA","iv":"BBBB","k":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}}';
  const meta = '{"actor":"operator"}';
  t.equal(textHash(data), '6dd3a8fcfceb7517200d4985d1b10891a34e06c7fd0e4b4a1229aea45f6b9f74');
  t.equal(textHash(meta), '2cd6538986db9df14007e1a6c4824f4dd7f4d08a6e23350c8ffd89c5a311efe4');
  // Computed independently, with printf and openssl dgst -sha256.
  const leaf = leafHash({
    eventId: '01BX5ZZKBKACTAV9WEVGEMMVRZ',
    organisationId: '01BX5ZZKBKACTAV9WEVGEMMVS0',
    stream: 'organisation-01BX5ZZKBKACTAV9WEVGEMMVS0',
    version: 1,
    type: 'OrganisationOpened',
    schema: 1,
    recordedAt: '2026-01-31T23:59:59.999Z',
    dataHash: textHash(data),
    metaHash: textHash(meta),
  });
  t.equal(leaf.toString('hex'), '55fb9c620e995b103a18c190585b08f45da2df0e3a42c22679159bad7cc6bb1a');
  const withoutOrganisation = leafHash({
    eventId: '01BX5ZZKBKACTAV9WEVGEMMVRZ',
    organisationId: null,
    stream: 'log-01ARZ3NDEKTSV4RRFFQ69G5FAV',
    version: 12,
    type: 'LogOpened',
    schema: 2,
    recordedAt: '2026-01-31T23:59:59.999Z',
    dataHash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    metaHash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  });
  t.equal(
    withoutOrganisation.toString('hex'),
    'ce88f1642714d2e0dd7399e8797991c1abb587fae4fbe65755873e89b7996e1a',
  );
});

test('the leaf text is the RFC 8785 form of its fields, for any values', async (t) => {
  const text = fc.string({ unit: anyCharacter });
  const input = fc.record({
    eventId: text,
    organisationId: fc.option(text),
    stream: text,
    version: fc.nat(),
    type: text,
    schema: fc.nat(),
    recordedAt: text,
    dataHash: text,
    metaHash: text,
  });
  fc.assert(
    fc.property(input, (leaf) => {
      const oracle = createHash('sha256')
        .update(`\0${canonicalize({ v: 1, ...leaf })}`, 'utf8')
        .digest('hex');
      return leafHash(leaf).toString('hex') === oracle;
    }),
    { numRuns: 1_000 },
  );
  t.pass();
});

test('the stored leaf is the hash of the stored row, whose texts are RFC 8785', async (t) => {
  const { store, pool } = await createTestStore(t);
  await store.append([markedEntry('z', 0, 'ü\u2028"', '\u0007'), markedEntry('a', 0, 'b')], {
    requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    actor: 'api',
  });
  const { rows } = await pool.query('SELECT * FROM events ORDER BY position');
  t.equal(rows.length, 3);
  for (const row of rows) {
    t.equal(row.data, canonicalize(JSON.parse(row.data)));
    t.equal(row.meta, '{"actor":"api","requestId":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}');
    t.match(row.recorded_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const leaf = leafHash({
      eventId: row.event_id,
      organisationId: row.organisation_id,
      stream: row.stream,
      version: row.version,
      type: row.type,
      schema: row.schema,
      recordedAt: row.recorded_at,
      dataHash: textHash(row.data),
      metaHash: textHash(row.meta),
    });
    t.same(row.leaf, leaf);
  }
});
