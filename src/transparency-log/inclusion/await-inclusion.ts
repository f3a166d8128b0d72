import { setTimeout as delay } from 'node:timers/promises';
import { Unavailable } from '../../errors/unavailable.ts';
import { type ChoosingDeps, type EventProof, proveEvent } from './prove-event.ts';

const lookAgainMs = 100;
/** Longest wait for the cosignatures of a quorum, once a checkpoint covers the event. */
const quorumWaitMs = 3_000;

/** No published checkpoint covers the event yet. */
export class CheckpointAwaited extends Unavailable {
  constructor(position: number) {
    super(
      'SERVICE_UNAVAILABLE',
      'no published checkpoint of the log covers this proof yet; try again shortly',
      `no checkpoint covers event ${position}: is a process with the role reactor running?`,
    );
  }
}

/**
 * Proves that an event is in the published log as soon as a checkpoint covers it. Rejects with
 * `CheckpointAwaited` if none does within `waitMs`, and with the errors of `proveEvent`. Awaits the
 * cosignatures of a quorum too, for a few seconds, while witnesses work.
 */
export async function awaitInclusion(
  deps: ChoosingDeps,
  position: number,
  waitMs: number,
): Promise<EventProof> {
  const end = performance.now() + waitMs;
  let quorumEnd = end;
  for (;;) {
    const chosen = await deps.checkpoints.covering(position);
    const now = performance.now();
    const isOver = now >= end;
    if (chosen !== null) {
      quorumEnd = Math.min(quorumEnd, now + quorumWaitMs);
      if (!chosen.mayGainQuorum || now >= quorumEnd) {
        return proveEvent(deps, position, chosen.checkpoint);
      }
    }
    if (isOver) throw new CheckpointAwaited(position);
    await delay(lookAgainMs);
  }
}
