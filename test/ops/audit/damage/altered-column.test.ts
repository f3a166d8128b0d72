import { test } from 'tap';
import { findAlteredColumn } from '../../../../ops/audit/damage/altered-column.ts';
import { leafHash, leafInputOf } from '../../../../src/event-store/leaf.ts';
import type { EventRow } from '../../../../src/event-store/stored-event.ts';

const organisationId = '01M7XT7V10RJ1CFD26ZBSKQXP6';
const proofId = '01M7XT7V10RJ1CFD26ZBSKQXP7';

function rowOf(change: Partial<EventRow> = {}): EventRow {
  const row = {
    ...{ position: 7, organisation_id: organisationId, stream: `proof-${proofId}`, version: 3 },
    ...{ event_id: '01M7XT7V10RJ1CFD26ZBSKQXP8', type: 'ProofQueued', schema: 1 },
    recorded_at: '2026-11-21T01:06:31.123Z',
    data: JSON.stringify({ organisationId, proofId, reason: 'document' }),
    meta: JSON.stringify({ actor: 'api', requestId: '01M7XT7V10RJ1CFD26ZBSKQXP9' }),
    leaf: Buffer.alloc(32),
    ...change,
  } as EventRow;
  return { ...row, leaf: leafHash(leafInputOf(row)) };
}

const oneBit = 'this value with one bit changed';
const plenty = 1_000_000;
const previous = rowOf({ position: 6, recorded_at: '2026-11-21T01:06:30.900Z' });
const find = (change: Partial<EventRow>, tries = plenty) =>
  findAlteredColumn({ ...rowOf(), ...change }, rowOf().leaf, previous, tries).altered;

test('a single altered column is identified, with its original value or as a flipped bit', async (t) => {
  const { data, meta } = rowOf();
  t.strictSame(find({ type: 'ProofWithdrawn' }), { column: 'type', was: 'ProofQueued' });
  t.strictSame(find({ schema: 2 }), { column: 'schema', was: '1' });
  t.strictSame(find({ version: 4 }), { column: 'version', was: '3' });
  const owner = { column: 'organisation_id', was: organisationId };
  t.strictSame(find({ organisation_id: null }), owner);
  t.strictSame(find({ organisation_id: proofId as EventRow['organisation_id'] }), owner);
  t.strictSame(find({ stream: 'proof-other' }), { column: 'stream', was: `proof-${proofId}` });
  t.strictSame(find({ recorded_at: '2020-01-01T00:00:00.000Z' }), {
    ...{ column: 'recorded_at', was: '2026-11-21T01:06:31.123Z' },
  });
  t.strictSame(find({ meta: '{}' }), { column: 'meta', was: meta });
  const flip = (text: string) => {
    const bytes = Buffer.from(text);
    bytes[9] = (bytes[9] ?? 0) ^ 2;
    return bytes.toString('latin1');
  };
  t.strictSame(find({ data: flip(data) }), { column: 'data', was: oneBit });
  t.strictSame(find({ meta: flip(meta) }), { column: 'meta', was: meta });
  const flippedId = find({ event_id: flip(rowOf().event_id) });
  t.strictSame(flippedId, { column: 'event_id', was: rowOf().event_id });
  const edited = find({ data: data.replace('document', 'documents') });
  t.strictSame(edited, { column: 'data', was: 'this value with one character less' });
  const foreign = rowOf({ organisation_id: organisationId as EventRow['organisation_id'] });
  const other = data.replace(organisationId, proofId);
  t.match(findAlteredColumn({ ...foreign, data: other }, foreign.leaf, previous, plenty).altered, {
    ...{ column: 'data', was: data },
  });
});

test('an unknown alteration is not guessed, and the number of tries is limited', async (t) => {
  t.equal(find({ data: '{"another":"text"}' }), null);
  t.equal(find({ type: 'ProofWithdrawn', version: 9 }), null, 'two altered columns');
  t.equal(find({ event_id: '01M7XT7V10AAAAAAAAAAAAAAAA' }), null);
  t.equal(find({ version: 4 }, 10), null);
  t.equal(findAlteredColumn(rowOf(), Buffer.alloc(32), previous, 10).tried, 10);
  t.strictSame(findAlteredColumn({ ...rowOf(), version: 9 }, rowOf().leaf, null, plenty).altered, {
    ...{ column: 'version', was: '3' },
  });
});
