import { randomBytes } from 'node:crypto';
import { type CheckpointMemo, memoOf } from '../../src/domain/log/checkpoint-memo.ts';
import type { CheckpointTimestamped } from '../../src/domain/log/timestamp-events.ts';
import { streams } from '../../src/domain/streams.ts';
import { readCheckpoint } from '../../src/transparency-log/checkpoint/checkpoint.ts';
import type { HttpService } from './http-service.ts';

type Log = Pick<HttpService, 'store' | 'call'>;

/**
 * Records that the newest checkpoint is in a ledger of mainnet, or of this one. Returns the hash of
 * its transaction.
 */
export async function anchorNewest({ store, call }: Log, ledgerId = '0'): Promise<string> {
  const { memo } = await newestOf({ call });
  return anchor({ store }, memo, ledgerId);
}

/** As `anchorNewest`, for any checkpoint. */
export async function anchor(
  { store }: Pick<Log, 'store'>,
  memo: CheckpointMemo,
  ledgerId = '0',
): Promise<string> {
  const [opened] = await store.readLog(0, 1);
  if (opened?.type !== 'LogOpened') throw new Error('no log');
  const { logId } = opened.data;
  const transactionHash = randomBytes(32).toString('hex').toUpperCase();
  const place = { ledgerId, transactionHash, ledgerIndex: 1_000, ledgerHash: 'A'.repeat(64) };
  const closed = { closeTime: 848_541_601, closeTimeIso: '2026-11-21T02:00:01.000Z' };
  const held = { transactionIndex: 1, metadata: '', ledgerHeader: '' };
  const data = { ...memo, ...place, ...closed, ...held };
  const stream = streams.log(logId);
  const expectedVersion = await store.versionOf(stream);
  const events = [{ type: 'CheckpointAnchored', data }] as const;
  await store.append([{ organisationId: null, stream, expectedVersion, events }], {});
  return transactionHash;
}

/** Records a time-stamp token for the newest checkpoint. */
export async function stampNewest(
  log: Log,
  { token, time, authority }: Pick<CheckpointTimestamped['data'], 'token' | 'time' | 'authority'>,
): Promise<void> {
  const { memo } = await newestOf(log);
  const data = { ...memo, token, time, authority };
  const events = [{ type: 'CheckpointTimestamped', data }] as const;
  const stream = streams.timestamp(memo.origin, memo.rootHash);
  await log.store.append([{ organisationId: null, stream, expectedVersion: 0, events }], {});
}

async function newestOf({ call }: Pick<Log, 'call'>) {
  const read = readCheckpoint((await call('GET', '/log/checkpoint')).text);
  if (read === null) throw new Error('no checkpoint');
  return { memo: memoOf(read) };
}
