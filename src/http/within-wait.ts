import { Readable } from 'node:stream';
import { StoreSilent } from '../event-store/connection-loss.ts';
import { inTime } from './in-time.ts';
import type { Reply } from './reply.ts';
import type { RouteDeps } from './route-deps.ts';

const defaultAnswerWaitMs = 30_000;

/**
 * A database that is reached but does not answer, as while its tables are locked, is as good as away:
 * rejects with `StoreSilent`. `alsoMs` is how long the work waits for something else. What is answered
 * too late is let go.
 */
export function withinWait<Value>(
  work: Promise<Value>,
  { answerWaitMs = defaultAnswerWaitMs }: Pick<RouteDeps, 'answerWaitMs'>,
  alsoMs = 0,
): Promise<Value> {
  const ms = answerWaitMs + alsoMs;
  return inTime(work, ms, () => new StoreSilent(ms), letGo);
}

function letGo(value: unknown): void {
  const body = (value as Partial<Reply> | null)?.body;
  if (body instanceof Readable) body.destroy();
}
