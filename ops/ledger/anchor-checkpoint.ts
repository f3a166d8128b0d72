import { setTimeout as delay } from 'node:timers/promises';
import type { AnchoredCheckpoint, CheckpointState, LogState } from '../../src/domain/log/state.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { loadLog } from '../../src/loading/load-log.ts';
import { CheckpointRequests } from '../../src/reactors/anchoring/checkpoint-requests.ts';
import { readNewestCheckpoint } from '../../src/transparency-log/published/published-checkpoints.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import type { ProgressLine } from '../terminal/progress-line.ts';

const lookEveryMs = 250;

/** A checkpoint on the ledger; `isNew` is false if no event was appended since it. */
interface CheckpointOnDemand {
  readonly anchored: AnchoredCheckpoint;
  readonly isNew: boolean;
}

/**
 * Requests a checkpoint that covers the present log, and waits until it is anchored. The running
 * service publishes, signs and submits it. Waits first for a checkpoint in flight. Makes the request
 * even with a very short time-out, if the checkpoint is published. Rejects on time-out; a requested
 * checkpoint is still anchored later.
 */
export async function anchorCheckpoint(
  session: Pick<OperatorSession, 'store' | 'leaves' | 'db' | 'meta' | 'cancelled'>,
  options: {
    readonly account: string;
    readonly timeoutMs: number;
    readonly progress: Pick<ProgressLine, 'say'>;
  },
): Promise<CheckpointOnDemand> {
  const { store, leaves, db, meta, cancelled } = session;
  const { account, timeoutMs, progress } = options;
  const published = () => readNewestCheckpoint(db);
  const requests = new CheckpointRequests({ store, leaves, published, account });
  const until = performance.now() + timeoutMs;
  const wanted = await store.head();
  let shown = '';
  let isNew = false;
  let isPublished = true;
  let refusedFrom: string | null = null;
  do {
    const log = await loadLog(store);
    if (log === null)
      throw new OperatorError('this database has no log yet: start the service first');
    const { state } = log;
    const { anchored, checkpoint } = state;
    if (anchored !== null && anchored.size >= wanted) return { anchored, isNew };
    const words = inWords(checkpoint);
    if (words !== shown && words !== '') progress.say(words);
    shown = words;
    if (checkpoint.status !== 'none') isPublished = true;
    else {
      if (refusedFrom === state.lastTurnAt) throw new OperatorError(refused);
      const { outcome } = await requests.request(log, 'operator', meta, wanted);
      if (outcome === 'nothingNew') return nothingNew(state);
      isPublished = outcome !== 'unpublished';
      if (!isPublished && shown !== unpublished) progress.say(unpublished);
      if (!isPublished) shown = unpublished;
      if (outcome === 'requested') {
        isNew = true;
        refusedFrom = (await loadLog(store))?.state.lastTurnAt ?? null;
      }
    }
    await delay(lookEveryMs, undefined, { signal: cancelled });
  } while (performance.now() < until);
  if (!isPublished) {
    throw new OperatorError(
      `no checkpoint of all ${wanted} events was published within ${Math.round(timeoutMs / 1000)} s, so none is requested: ` +
        'check that a process with the role reactor runs and that it can write to STORAGE_URL',
    );
  }
  throw new OperatorError(
    `the checkpoint is requested, but was not anchored within ${Math.round(timeoutMs / 1000)} s: ` +
      'check that a process with the role reactor runs and can sign (`ops ledger status`). The ' +
      'checkpoint is then anchored without another request',
  );
}

const unpublished = 'waiting until a checkpoint of all events is published';

const refused =
  'the transaction of the checkpoint failed on the ledger; the service signs another at the next scheduled checkpoint';

function nothingNew({ anchored }: LogState): CheckpointOnDemand {
  if (anchored === null) throw new OperatorError('the log is empty');
  return { anchored, isNew: false };
}

function inWords(checkpoint: CheckpointState): string {
  switch (checkpoint.status) {
    case 'none':
      return '';
    case 'pending':
      return `waiting until the checkpoint of ${checkpoint.memo.size} events is signed`;
    case 'processing':
      return `checkpoint signed: waiting for transaction ${checkpoint.prepared.transactionHash} on the ledger`;
  }
}
