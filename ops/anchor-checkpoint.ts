import { setTimeout as delay } from 'node:timers/promises';
import { CheckpointRequests } from '../src/commands/checkpoint-requests.ts';
import type { AnchoredCheckpoint, CheckpointState, LogState } from '../src/domain/log/state.ts';
import { loadLog } from '../src/transparency-log/load-log.ts';
import type { OperatorSession } from './operator-session.ts';
import type { ProgressLine } from './progress-line.ts';

const lookEveryMs = 250;

/** A checkpoint on the ledger; `isNew` is false where nothing had happened since it. */
export interface CheckpointOnDemand {
  readonly anchored: AnchoredCheckpoint;
  readonly isNew: boolean;
}

/**
 * Has the log as it is now anchored, and waits until it is: the running service signs and submits.
 * One that is under way is waited for first. It is requested however short the time is. Rejects when
 * that is up; what was requested is anchored all the same.
 */
export async function anchorCheckpoint(
  session: Pick<OperatorSession, 'store' | 'leaves' | 'meta' | 'cancelled'>,
  options: {
    readonly account: string;
    readonly timeoutMs: number;
    readonly progress: Pick<ProgressLine, 'say'>;
  },
): Promise<CheckpointOnDemand> {
  const { store, leaves, meta, cancelled } = session;
  const { account, timeoutMs, progress } = options;
  const requests = new CheckpointRequests(store, leaves, account);
  const until = performance.now() + timeoutMs;
  const wanted = await store.head();
  let said = '';
  let isNew = false;
  let refusedFrom: string | null = null;
  do {
    const log = await loadLog(store);
    if (log === null) throw new Error('no log was opened here: start the service first');
    const { state } = log;
    const { anchored, checkpoint } = state;
    if (anchored !== null && anchored.size >= wanted) return { anchored, isNew };
    const words = inWords(checkpoint);
    if (words !== said && words !== '') progress.say(words);
    said = words;
    if (checkpoint.status === 'none') {
      if (refusedFrom === state.lastTurnAt) throw new Error(refused);
      const { outcome } = await requests.request(log, 'operator', meta);
      if (outcome === 'nothingNew') return nothingNew(state);
      if (outcome === 'requested') {
        isNew = true;
        refusedFrom = (await loadLog(store))?.state.lastTurnAt ?? null;
      }
    }
    await delay(lookEveryMs, undefined, { signal: cancelled });
  } while (performance.now() < until);
  throw new Error(
    `the checkpoint is requested, but was not anchored within ${Math.round(timeoutMs / 1000)} s: ` +
      'does the service run, with the role reactor, and can it sign (`ops ledger status`)? It is ' +
      'anchored as soon as it can be',
  );
}

const refused =
  'the transaction of the checkpoint failed on the ledger; another one is signed at the next turn';

function nothingNew({ anchored }: LogState): CheckpointOnDemand {
  if (anchored === null) throw new Error('the log is empty');
  return { anchored, isNew: false };
}

function inWords(checkpoint: CheckpointState): string {
  switch (checkpoint.status) {
    case 'none':
      return '';
    case 'pending':
      return `a checkpoint of ${checkpoint.memo.size} events waits to be signed`;
    case 'processing':
      return `signed: waiting for transaction ${checkpoint.prepared.transactionHash}`;
  }
}
