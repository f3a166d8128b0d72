import { test } from 'tap';
import { until } from '../support/until.ts';

/** Stub of the hashing thread: the hash of a file is its name. */
class HashingThread extends EventTarget {
  postMessage({ id, file }: { id: number; file: File }) {
    const data = { id, hash: file.name };
    queueMicrotask(() => this.dispatchEvent(Object.assign(new Event('message'), { data })));
  }
}

Object.assign(globalThis, { Worker: HashingThread });
const { ProveQueue } = await import('../../src/pages/prove-queue.js');
const { CallFailed } = await import('../../src/pages/prove-calls.js');

type Calls = ConstructorParameters<typeof ProveQueue>[0];
const pending = { blockchainStatus: 'pending' };
const file = (name: string) => new File([name], name);

/** A queue that answers each batch by the function, and the errors that stopped it. */
function queueWith(answer: (workspace: string, hashes: readonly string[]) => unknown) {
  const troubles: unknown[] = [];
  const proveHashes = async (workspace: string, items: readonly { hash: string }[]) =>
    answer(
      workspace,
      items.map(({ hash }) => hash),
    );
  const queue = new ProveQueue({ proveHashes } as unknown as Calls, {
    onChange: () => {},
    onTrouble: (error) => troubles.push(error),
  });
  return { queue, troubles };
}

const proven = (hashes: readonly string[]) =>
  hashes.map((hash) => ({ status: 202, body: { data: { proofId: `of ${hash}`, ...pending } } }));

test('a batch that is refused for good does not hold up the next one', async (t) => {
  const { queue, troubles } = queueWith((workspace, hashes) => {
    if (workspace === 'gone') throw new CallFailed('there is no such workspace', null);
    return proven(hashes);
  });
  queue.add(['a', 'b'].map(file), { workspace: 'gone', isUpload: false });
  queue.add([file('c')], { workspace: 'here', isUpload: false });
  await until('all results', async () =>
    queue.items.every(({ status }) => status === 'failed' || status === 'pending'),
  );
  t.strictSame(
    queue.items.map(({ status, why }) => [status, why]),
    [
      ['failed', 'There is no such workspace'],
      ['failed', 'There is no such workspace'],
      ['pending', ''],
    ],
  );
  t.strictSame(troubles, [], 'the reader need not act');
});

test('a batch that meets a busy service is sent again', async (t) => {
  let isBusy = true;
  const { queue, troubles } = queueWith((_workspace, hashes) => {
    if (isBusy) throw new CallFailed('too many requests', 3);
    return proven(hashes);
  });
  queue.add([file('a')], { workspace: 'here', isUpload: false });
  await until('trouble', async () => troubles.length > 0);
  t.match(queue.items, [{ status: 'hashed' }]);
  isBusy = false;
  queue.resume();
  await until('a proof', async () => queue.items[0]?.status === 'pending');
});

test('a proof stays what it is when a question for its state is refused', async (t) => {
  let isRefused = false;
  let asked = 0;
  const { queue, troubles } = queueWith((_workspace, hashes) => {
    asked += 1;
    if (isRefused) throw new CallFailed('the organisation is suspended', null);
    return proven(hashes);
  });
  queue.add([file('a')], { workspace: 'here', isUpload: false });
  await until('a proof', async () => queue.items[0]?.status === 'pending');
  isRefused = true;
  queue.askAgain();
  await until('the question', async () => asked === 2);
  queue.setState('of a', 'completed');
  t.match(queue.items, [{ status: 'completed', why: '' }]);
  t.strictSame(troubles, []);
});
