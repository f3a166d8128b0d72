import { test } from 'tap';
import { earlierRestores, noCheckpoints } from '../../../src/domain/log/earlier-restore.ts';
import { type LogRestored, logEvents } from '../../../src/domain/log/events.ts';
import { logName, originOf } from '../../../src/domain/log/origin.ts';
import { decodeEvent } from '../../../src/event-store/decode.ts';
import { encodeEvent } from '../../../src/event-store/encode.ts';

const name = logName('01ARZ3NDEKTSV4RRFFQ69G5FAV');
const memoAt = (size: number, epoch: number) => {
  return { origin: originOf({ name, epoch }), size, rootHash: 'ab'.repeat(32) };
};
const nothing = { published: noCheckpoints, anchored: noCheckpoints };

function restored(epoch: number, more: Partial<LogRestored['data']> = {}): LogRestored['data'] {
  const lost = { published: null, anchored: null, reached: null, earlier: [] };
  return { epoch, keptSize: 10 * epoch, keptRootHash: 'cd', ...lost, ...more };
}

test('a first restore has none before it', async (t) => {
  t.strictSame(earlierRestores(2, [], nothing), []);
});

test('a restore names those that the log records, with what they say was lost', async (t) => {
  const onLedger = { network: 'testnet', transactionHash: 'AA', ledgerIndex: 7 } as const;
  const anchored = { ...memoAt(25, 1), ...onLedger, closeTimeIso: null };
  const second = restored(2, { published: memoAt(30, 1), anchored });
  t.strictSame(earlierRestores(4, [second, restored(3)], nothing), [
    { epoch: 2, keptSize: 20, published: memoAt(30, 1), anchored: memoAt(25, 1) },
    { epoch: 3, keptSize: 30, published: null, anchored: null },
  ]);
});

test('a restore whose event is lost is named with the last checkpoints of the epoch that it ended', async (t) => {
  const known = {
    published: new Map([[1, memoAt(40, 1)]]),
    anchored: new Map([[2, memoAt(35, 2)]]),
  };
  const lost = [
    { epoch: 2, keptSize: null, published: memoAt(40, 1), anchored: null },
    { epoch: 3, keptSize: null, published: null, anchored: memoAt(35, 2) },
  ];
  t.strictSame(earlierRestores(4, [], known), lost);
  const fourth = restored(4, { earlier: lost });
  t.strictSame(
    earlierRestores(5, [fourth], nothing),
    [...lost, { epoch: 4, keptSize: 40, published: null, anchored: null }],
    'the next restore knows it from this one',
  );
});

test('an epoch that nobody can have reached makes no endless list', async (t) => {
  const named = earlierRestores(999_999_999, [], nothing);
  t.equal(named.length, 1_000);
  t.match(named.at(-1), { epoch: 999_999_998, keptSize: null });
});

test('events of earlier releases are read, and a first restore is stored as they do', async (t) => {
  const place = { organisationId: null, stream: 's-1', version: 1, meta: {}, keys: null };
  const recordedAt = '2030-01-31T12:00:00.000Z';
  const keyring = { find: async () => null };
  const first = { type: 'LogRestored', data: restored(2, { reached: 33 }) } as const;
  const stored = encodeEvent({ ...place, event: first, recordedAt });
  const { earlier: _, ...second } = first.data;
  t.match(stored, { schema: 2 });
  t.strictSame(JSON.parse(stored.data), second);
  const read = async (schema: number, data: object) =>
    (await decodeEvent({ ...stored, schema, position: 1, data: JSON.stringify(data) }, keyring))
      .data;
  t.strictSame(await read(2, second), first.data);
  const { reached: __, ...oldest } = second;
  t.strictSame(await read(1, oldest), { ...first.data, reached: null });

  const earlier = [{ epoch: 2, keptSize: 20, published: memoAt(30, 1), anchored: null }];
  const later = { type: 'LogRestored', data: restored(3, { earlier }) } as const;
  const row = encodeEvent({ ...place, event: later, recordedAt });
  t.equal(row.schema, logEvents.LogRestored.schema);
  t.notMatch(row.data, /sealed/, 'everybody can read it');
  t.strictSame((await decodeEvent({ ...row, position: 1 }, keyring)).data, later.data);
});
