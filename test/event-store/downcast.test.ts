import { randomBytes } from 'node:crypto';
import { test } from 'tap';
import type { DomainEvent } from '../../src/domain/events.ts';
import { decodeEvent } from '../../src/event-store/decode.ts';
import { encodeEvent } from '../../src/event-store/encode.ts';
import { leafHash, textHash } from '../../src/event-store/leaf.ts';

const signed = {
  ...{ ledgerId: '1', transactionHash: 'AA', blob: '1234', account: 'r', sequence: 5 },
  ...{ feeDrops: 10, minLedger: 1, lastLedgerSequence: 9, replaces: null },
};
const anchor = {
  ...signed,
  hashScheme: 'hmac-sha256-nonce-v3',
  previousTransactionHash: null,
} as const;

/** Events of signed transactions, with the form that releases before replacements wrote. */
const cases: readonly (readonly [DomainEvent, schema: number, data: string])[] = [
  [
    { type: 'AnchorPrepared', data: anchor },
    2,
    '{"account":"r","blob":"1234","feeDrops":10,"hashScheme":"hmac-sha256-nonce-v3",' +
      '"lastLedgerSequence":9,"ledgerId":"1","minLedger":1,"previousTransactionHash":null,' +
      '"sequence":5,"transactionHash":"AA"}',
  ],
  ...(['CheckpointPrepared', 'GapFillPrepared'] as const).map(
    (type) =>
      [
        { type, data: signed },
        1,
        '{"account":"r","blob":"1234","feeDrops":10,"lastLedgerSequence":9,"ledgerId":"1",' +
          '"minLedger":1,"sequence":5,"transactionHash":"AA"}',
      ] as const,
  ),
];

const place = { organisationId: null, stream: 's-1', version: 1, meta: {}, keys: null };
const recordedAt = '2030-01-31T12:00:00.000Z';
const keyring = { find: async () => null };

for (const [event, schema, data] of cases) {
  test(`${event.type} without a replacement is stored as the previous release does`, async (t) => {
    const row = encodeEvent({ ...place, event, recordedAt });
    const leaf = leafHash({
      ...{ eventId: row.event_id, organisationId: null, stream: 's-1', version: 1, recordedAt },
      ...{ type: event.type, schema, dataHash: textHash(data), metaHash: textHash('{}') },
    });
    t.strictSame({ ...row, leaf: row.leaf.equals(leaf) }, { ...row, schema, data, leaf: true });
    t.strictSame((await decodeEvent({ ...row, position: 1 }, keyring)).data, event.data);
  });

  test(`${event.type} of a replacement is stored in the new form`, async (t) => {
    const replacement = { ...event, data: { ...event.data, replaces: 'BB' } } as DomainEvent;
    const row = encodeEvent({ ...place, event: replacement, recordedAt });
    t.equal(row.schema, schema + 1);
    t.strictSame((await decodeEvent({ ...row, position: 1 }, keyring)).data, replacement.data);
  });
}

test('a proof that is requested now is stored in a form that the previous release reads', async (t) => {
  const keys = { dataKeyId: 'k', dataKey: randomBytes(32), indexKey: randomBytes(32) };
  const data = {
    ...{ document: null, proofId: '1', organisationId: '2', workspaceId: '3' },
    ...{ network: 'testnet', hashScheme: 'hmac-sha256-nonce-v3', commitment: 'cc', nonce: 'dd' },
    ...{ fileHash: 'ee', fileName: 'a', fileSizeBytes: 1, mimeType: null, description: null },
    ...{ metadata: { case: 7 }, recordsDelivery: true },
  };
  const event = { type: 'ProofRequested', data } as unknown as DomainEvent;
  const row = encodeEvent({ ...place, event, recordedAt, keys, organisationId: '2' });
  t.equal(row.schema, 2, 'the schema of 0.1.0, which passes over members that it does not know');
  const decoded = await decodeEvent({ ...row, position: 1 }, { find: async () => keys });
  t.strictSame(decoded.data, data, 'nothing is lost');
});
