import type { Test } from 'tap';
import type { CheckpointTimestamped } from '../../src/domain/log/timestamp-events.ts';
import { streams } from '../../src/domain/streams.ts';
import { askAuthority } from '../../src/timestamps/ask-authority.ts';
import type { HttpService } from './http-service.ts';
import { createTimestampAuthority, serveTimestamps } from './timestamp-authority.ts';

/** An authority made of `openssl ts`, and a function that records its tokens in a service's log. */
export async function createStamping(
  t: Pick<Test, 'teardown'>,
  service: Pick<HttpService, 'publish' | 'call' | 'store'>,
) {
  const authority = await createTimestampAuthority(t);
  const { url } = await serveTimestamps(t, (query) => authority.answer(query));
  /**
   * Publishes a checkpoint, and records a token for it. Returns the checkpoint's text. `change`
   * replaces parts of the record.
   */
  const stamp = async (change: Partial<CheckpointTimestamped['data']> = {}): Promise<string> => {
    await service.publish();
    const note = (await service.call('GET', '/log/checkpoint')).text;
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const [origin = '', size, root = ''] = text.split('\n');
    const rootHash = Buffer.from(root, 'base64').toString('hex');
    const stopped = new AbortController().signal;
    const found = await askAuthority({ url, roots: [authority.root] }, Buffer.from(text), stopped);
    const token = found.token.toString('base64');
    const memo = { origin, size: Number(size), rootHash };
    const event: CheckpointTimestamped = {
      type: 'CheckpointTimestamped',
      data: { ...memo, authority: found.authority, time: found.time, token, ...change },
    };
    const stream = streams.timestamp(origin, rootHash);
    const entry = { organisationId: null, stream, expectedVersion: 0, events: [event] };
    await service.store.append([entry], {});
    return text;
  };
  return { authority, stamp };
}
