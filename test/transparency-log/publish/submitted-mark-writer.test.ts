import { test } from 'tap';
import { openLog } from '../../../src/commands/open-log.ts';
import { DatabaseWentBack } from '../../../src/event-store/database-went-back.ts';
import { SubmittedMarkWriter } from '../../../src/transparency-log/publish/submitted-mark-writer.ts';
import { PublishedLog } from '../../../src/transparency-log/published/published-log.ts';
import {
  createMemoryEventStore,
  memoryLeaves,
} from '../../reactors/anchoring/simulation/memory-event-store.ts';
import { MemoryLogFiles } from '../../support/memory-log-files.ts';

test('nothing is submitted if the database loses the event while its mark is written', async (t) => {
  const store = createMemoryEventStore();
  await openLog({ store, newId: () => '1'.repeat(26) }, {});
  const files = new MemoryLogFiles();
  const published = new PublishedLog(files);
  const leaves = memoryLeaves(store);
  const deps = { store, leaves, published, network: 'testnet', writer: 'one' } as const;
  const writer = new SubmittedMarkWriter(deps);
  await writer.cover(10);
  t.equal((await published.readSubmitted()).length, 1);
  const other = new SubmittedMarkWriter({ ...deps, writer: 'other' });
  files.troubles = (moment, what) => {
    if (moment === 'before' && what.startsWith('write')) store.lose(1, 0);
  };
  await t.rejects(other.cover(11), DatabaseWentBack);
});
