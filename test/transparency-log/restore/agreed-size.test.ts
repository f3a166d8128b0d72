import { test } from 'tap';
import { logName, originOf } from '../../../src/domain/log/origin.ts';
import { newUlid } from '../../../src/event-store/new-ulid.ts';
import { signCheckpoint } from '../../../src/transparency-log/checkpoint/checkpoint.ts';
import { noteSigner } from '../../../src/transparency-log/checkpoint/note-key.ts';
import { check } from '../../../src/transparency-log/guard/check.ts';
import { Publisher } from '../../../src/transparency-log/publish/publisher.ts';
import { SubmittedMarkWriter } from '../../../src/transparency-log/publish/submitted-mark-writer.ts';
import { addPublished } from '../../../src/transparency-log/published/published-checkpoints.ts';
import { PublishedLog } from '../../../src/transparency-log/published/published-log.ts';
import { agreedSize } from '../../../src/transparency-log/restore/agreed-size.ts';
import { MemoryLogFiles } from '../../support/memory-log-files.ts';
import { logSeed, openPublishingSite, wentBack } from '../../support/publishing-site.ts';

test('the kept size is the largest known to agree with the published log', async (t) => {
  const site = await openPublishingSite(t);
  const { append, options, files } = site;
  // The copy's own record of published checkpoints went back too.
  const { history } = (await openPublishingSite(t)).options;
  const others = Array.from({ length: 500 }, () => Buffer.alloc(32));
  const sizeOf = async (kept: number, beyond: readonly Buffer[] = []) => {
    const copy = { ...wentBack(site, kept, beyond), history };
    const finding = await check('publishing', copy);
    t.not(finding.status, 'agrees');
    return agreedSize(copy, finding);
  };
  await append(699);
  await new Publisher(options).publish();
  for (const kept of [1, 2, 255, 256, 257, 511, 512, 513, 600, 699]) {
    t.equal(await sizeOf(kept), kept, `the copy ends at ${kept}`);
    t.equal(await sizeOf(kept, others), kept, `the copy went on from ${kept}`);
  }
  await append(20);
  const marks = new SubmittedMarkWriter({ ...options, network: 'testnet', writer: 'one' });
  await marks.cover(1);
  t.equal(await sizeOf(710), 700, 'events beyond the last checkpoint are unknown');
  await append(5);
  await new SubmittedMarkWriter({ ...options, network: 'testnet', writer: 'two' }).cover(1);
  t.equal(await sizeOf(722), 720, 'except up to a submitted mark');

  for (const name of files.files.keys()) if (name.includes('tile/')) files.files.delete(name);
  t.equal(await sizeOf(600, others), 1, "without tiles only the log's first event");
  const checkpoint = {
    origin: originOf({ name: logName(newUlid()), epoch: 1 }),
    size: 512,
    root: Buffer.alloc(32),
  };
  const note = signCheckpoint(checkpoint, [noteSigner(checkpoint.origin, logSeed)]);
  await addPublished(history, { number: 1, note, vkeys: ['a'] });
  t.equal(await sizeOf(600, others), 512, 'or as far as its own record says');
  const published = new PublishedLog(new MemoryLogFiles());
  const empty = { ...options, published };
  t.equal(await agreedSize(empty, await check('publishing', empty)), 700, 'the storage was lost');
});
