import { test } from 'tap';
import type { LogPage } from '../../src/event-store/log-page.ts';
import { pagesAhead } from '../../src/subscriptions/pages-ahead.ts';
import { seededRandom } from '../support/seed.ts';

/** A log of `head` events, whose pages are cut after at most `most` of them. */
function createLog(state: { head: number; most: number }) {
  const read = async (after: number, upTo: number): Promise<LogPage> => {
    const end = Math.max(after, Math.min(upTo, state.head));
    const position = Math.min(end, after + state.most);
    const positions = Array.from({ length: position - after }, (_, n) => after + 1 + n);
    // Only the positions matter here.
    const events = positions.map((at) => ({ position: at })) as unknown as LogPage['events'];
    return { events, position, isCut: position < end, bytes: 0 };
  };
  return read;
}

async function positionsOf(pages: AsyncIterable<LogPage>, onPage: () => void = () => {}) {
  const found: number[] = [];
  for await (const { events } of pages) {
    found.push(...events.map(({ position }) => position));
    onPage();
  }
  return found;
}

const upwards = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => from + 1 + n);

test('reading ahead returns every event once and in order, however pages are cut', async (t) => {
  const random = seededRandom(t);
  const below = (limit: number) => 1 + Math.floor(random() * limit);
  for (let run = 0; run < 200; run += 1) {
    const state = { head: below(60), most: below(12) };
    const from = below(state.head) - 1;
    const options = { positions: below(20), ahead: below(4) };
    const pages = pagesAhead(createLog(state), from, options);
    t.strictSame(await positionsOf(pages), upwards(from, state.head), JSON.stringify(state));
  }
});

test('reads events that are appended while it reads, and none after the last position', async (t) => {
  const state = { head: 25, most: 10 };
  let left = 3;
  const grow = () => {
    if (left > 0) state.head += 7;
    left -= 1;
  };
  const options = { positions: 10, ahead: 3 };
  t.strictSame(await positionsOf(pagesAhead(createLog(state), 0, options), grow), upwards(0, 46));
  const upTo = 33;
  t.strictSame(
    await positionsOf(pagesAhead(createLog(state), 4, { ...options, upTo })),
    upwards(4, 33),
  );
});

test('a failed read is reported when its turn comes', async (t) => {
  const read = createLog({ head: 100, most: 100 });
  const failing = (after: number, upTo: number) =>
    after === 20 ? Promise.reject(new Error('lost')) : read(after, upTo);
  const found: number[] = [];
  const reading = (async () => {
    for await (const { position } of pagesAhead(failing, 0, { positions: 10, ahead: 4 })) {
      found.push(position);
    }
  })();
  await t.rejects(reading, { message: 'lost' });
  t.strictSame(found, [10, 20]);
});
