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

/**
 * A queue that answers each batch by the function, and the errors that stopped it. A proxy refuses the upload
 * of the file `refused`.
 */
function queueWith(
  answer: (workspace: string, hashes: readonly string[]) => unknown,
  refused?: string,
) {
  const troubles: unknown[] = [];
  const proveHashes = async (workspace: string, items: readonly { hash: string }[]) =>
    answer(
      workspace,
      items.map(({ hash }) => hash),
    );
  const uploads: string[] = [];
  const upload = async (_workspace: string, { name }: File) => {
    uploads.push(name);
    if (name === refused) throw new CallFailed('too long', 5, { isOfProxy: true });
    return { status: 202, body: { data: { proofId: `of ${name}`, fileHash: name, ...pending } } };
  };
  const queue = new ProveQueue({ proveHashes, upload } as unknown as Calls, {
    onChange: () => {},
    onTrouble: (error) => troubles.push(error),
  });
  return { queue, troubles, uploads };
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

test('a file that a proxy refuses each time is given up, and those after it are sent', async (t) => {
  const { queue, troubles, uploads } = queueWith((_workspace, hashes) => proven(hashes), 'large');
  const how = { workspace: 'here', isUpload: true };
  queue.add(['large', 'small'].map(file), how);
  for (const times of [1, 2]) {
    await until('trouble', async () => troubles.length === times);
    queue.resume();
  }
  await until('the next file', async () => queue.items[1]?.status === 'pending');
  t.strictSame(uploads, ['large', 'large', 'large', 'small']);
  t.match(queue.items, [{ status: 'failed', why: 'Too long' }, { isKnown: false }]);
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

test('a question for states sends no file again, and a proof of this page stays a new one', async (t) => {
  const asked: string[] = [];
  const { queue, troubles, uploads } = queueWith((_workspace, hashes) => {
    asked.push(...hashes);
    return proven(hashes).map(({ body }) => ({
      status: 200,
      body: { ...body, alreadyProven: asked.length > 1 },
    }));
  });
  queue.add([file('hash')], { workspace: 'here', isUpload: false });
  queue.add(['one', 'two'].map(file), { workspace: 'here', isUpload: true });
  const isPending = ({ status }: { status: string }) => status === 'pending';
  await until('all proofs', async () => queue.items.every(isPending));
  queue.askAgain();
  await until('the questions', async () => asked.length + uploads.length === 6);
  t.strictSame(uploads, ['one', 'two']);
  t.strictSame(asked, ['hash', 'hash', 'one', 'two']);
  queue.add([file('known')], { workspace: 'here', isUpload: false });
  await until('the last proof', async () => queue.items.every(isPending));
  t.strictSame(
    queue.items.map(({ isKnown }) => isKnown),
    [false, false, false, true],
  );
  t.strictSame(troubles, []);
});
