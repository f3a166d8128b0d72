import { test } from 'tap';
import { welcome } from '../../src/program/welcome.ts';
import { createMemoryEventStore } from '../reactors/anchoring/simulation/memory-event-store.ts';

/** Runs the work, and returns what it wrote to standard output. */
async function written(work: () => Promise<void>): Promise<string> {
  const texts: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (text) => texts.push(String(text)) > 0;
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
  return texts.join('');
}

test('an interrupted first start shows key and invitation the next time, for the public address', async (t) => {
  const store = createMemoryEventStore();
  let appends = 0;
  let failing = 0;
  const append: typeof store.append = (entries, meta) => {
    appends += 1;
    if (appends === failing) throw new Error('the database is away');
    return store.append(entries, meta);
  };
  const start = () =>
    written(() =>
      welcome({ ...store, append }, 'http://localhost:3000', 'https://proofs.example.com'),
    );
  for (failing = 1; failing <= 4; failing += 1) {
    appends = 0;
    await t.rejects(start(), /is away/, `at append ${failing}`);
  }
  failing = 0;
  const text = await start();
  t.match(text, /^ {2}svc_live_\w{32}$/m);
  t.match(text, /curl -sS http:\/\/localhost:3000\/api\/v1\/proofs /);
  t.match(text, /^ {2}https:\/\/proofs\.example\.com\/console\/join#\S+$/m);
  t.equal(await start(), '', 'once');
});
