import { setImmediate } from 'node:timers/promises';
import { test } from 'tap';

/** Stub of the reading thread: each file waits until it is finished. */
class ReadingThread extends EventTarget {
  static readonly reading: { name: string; finish: (isFailed?: boolean) => void }[] = [];

  postMessage({ id, file, isUnwanted }: { id: number; file?: File; isUnwanted?: boolean }) {
    if (isUnwanted || file === undefined) return;
    const finish = (isFailed = false) => {
      const data = isFailed ? { id, isFailed } : { id, answer: { fileHash: file.name } };
      this.dispatchEvent(Object.assign(new Event('message'), { data }));
    };
    ReadingThread.reading.push({ name: file.name, finish });
  }
}

// The thread is told when its page has loaded.
Object.assign(globalThis, { Worker: ReadingThread, addEventListener: () => {} });
const { ReadingQueue } = await import('../../src/pages/reading-queue.js');
const { reading } = ReadingThread;

const file = (name: string, bytes: number) => new File(['x'.repeat(bytes)], name);
const names = () => reading.map(({ name }) => name);

test('files are read one at a time, the smallest first', async (t) => {
  reading.splice(0);
  const queue = new ReadingQueue({ onRead: () => {}, onProgress: () => {} });
  const items = [file('large', 900), file('small', 1), file('middle', 50)].map((each) =>
    queue.add(each),
  );
  for (const expected of [['small'], ['small', 'middle'], ['small', 'middle', 'large']]) {
    await setImmediate();
    t.strictSame(names(), expected);
    reading.at(-1)?.finish();
  }
  await setImmediate();
  t.ok(
    items.every(({ status, read, file: { name } }) => status === 'read' && read?.fileHash === name),
  );
});

test('an unreadable or removed file does not block the others', async (t) => {
  reading.splice(0);
  const queue = new ReadingQueue({ onRead: () => {}, onProgress: () => {} });
  const [first, second, third, fourth] = [1, 2, 3, 4].map((bytes) =>
    queue.add(file(`${bytes}`, bytes)),
  );
  await setImmediate();
  reading[0]?.finish(true);
  await setImmediate();
  t.equal(first?.status, 'unread');
  t.strictSame(names(), ['1', '2']);
  third?.reading.abort();
  second?.reading.abort();
  await setImmediate();
  t.strictSame(names(), ['1', '2', '4'], 'the removed file is not read');
  reading[2]?.finish();
  await setImmediate();
  t.equal(fourth?.status, 'read');
});
