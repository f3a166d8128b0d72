import { test } from 'tap';
import { streams } from '../../../src/domain/streams.ts';
import { foldStream } from '../../../src/reactors/attesting/fold-stream.ts';
import { createTestStore } from '../../support/event-store.ts';

const stream = streams.validators('testnet');

test('folds each event once, also when others append and fold meanwhile', async (t) => {
  const { store } = await createTestStore(t);
  let version = 0;
  const append = async () => {
    const data = { network: 'testnet', publisherKey: `${version}`, manifest: '' } as const;
    const events = [{ type: 'PublisherRevoked', data }] as const;
    await store.append([{ organisationId: null, stream, expectedVersion: version, events }], {});
    version += 1;
  };
  let read = 0;
  let appendsBetween = 1;
  const seen: number[] = [];
  const fold = foldStream(
    {
      versionOf: (name) => store.versionOf(name),
      async readNewest(name, limit) {
        if (appendsBetween > 0) {
          appendsBetween -= 1;
          await append();
        }
        const events = await store.readNewest(name, limit);
        read += events.length;
        return events;
      },
    },
    stream,
    (event) => seen.push(event.version),
  );
  t.equal(await fold(), 0);
  for (let nth = 0; nth < 3; nth += 1) await append();
  t.equal(await fold(), 4);
  t.strictSame(seen, [1, 2, 3, 4]);
  await append();
  await Promise.all([fold(), fold(), fold()]);
  t.strictSame(seen, [1, 2, 3, 4, 5]);
  read = 0;
  t.equal(await fold(), 5);
  await append();
  t.equal(await fold(), 6);
  t.equal(read, 1, 'reads the new event only');
});
