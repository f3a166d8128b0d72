import { Readable } from 'node:stream';
import { StoreUnavailable } from '../event-store/connection-loss.ts';
import { inTime } from './in-time.ts';
import type { Reply } from './reply.ts';
import type { RouteDeps } from './route-deps.ts';

const defaultAnswerWaitMs = 30_000;

/**
 * A database that is reached but does not answer, as while its tables are locked, is as good as away.
 * What is answered too late is let go.
 */
export function withinWait<Value>(
  work: Promise<Value>,
  {
    answerWaitMs = defaultAnswerWaitMs,
    proofWaitMs,
  }: Pick<RouteDeps, 'answerWaitMs' | 'proofWaitMs'>,
): Promise<Value> {
  const ms = answerWaitMs + proofWaitMs;
  const late = () => new StoreUnavailable({ cause: new Error(`no answer within ${ms} ms`) });
  return inTime(work, ms, late, letGo);
}

function letGo(value: unknown): void {
  const body = (value as Partial<Reply> | null)?.body;
  if (body instanceof Readable) body.destroy();
}
