import { test } from 'tap';
import { anchorCheckpoint } from '../../ops/ledger/anchor-checkpoint.ts';
import { loadLog } from '../../src/loading/load-log.ts';
import { CheckpointRequests } from '../../src/reactors/anchoring/checkpoint-requests.ts';
import { Publisher } from '../../src/transparency-log/publish/publisher.ts';
import { readNewestCheckpoint } from '../../src/transparency-log/published/published-checkpoints.ts';
import { openPublishingSite } from '../support/publishing-site.ts';

const account = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const meta = { actor: 'operator' } as const;

test('the time-out names the open checkpoint that another process requested meanwhile', async (t) => {
  const site = await openPublishingSite(t);
  const { store, db } = site.database;
  const { leaves, options, append } = site;
  await append(3);
  await new Publisher(options).publish();
  await append(2);
  const published = () => readNewestCheckpoint(db);
  const requests = new CheckpointRequests({ store, leaves, published, account });
  const requestOlder = async () => {
    const log = await loadLog(store);
    return log && requests.request(log, 'interval', {});
  };
  let requested: ReturnType<typeof requestOlder> | null = null;
  const said: string[] = [];
  const say = (line: string) => {
    said.push(line);
    requested ??= requestOlder();
  };
  const cancelled = new AbortController().signal;
  const session = { store, db, leaves, meta, cancelled };
  const anchoring = anchorCheckpoint(session, { account, timeoutMs: 10_000, progress: { say } });
  await t.rejects(anchoring, {
    message:
      /^the checkpoint is requested, but was not anchored within 10 s: .*`ops ledger status`.* anchored without another request/,
  });
  t.match(await requested, { outcome: 'requested', memo: { size: 4 } });
  t.strictSame(said, [
    'waiting until a checkpoint of all events is published',
    'waiting until the checkpoint of 4 events is signed',
  ]);
});
