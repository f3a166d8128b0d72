import { setTimeout as delay } from 'node:timers/promises';
import { Transient } from '../../errors/transient.ts';
import { lastPublished } from '../publish/published-checkpoints.ts';
import { type EventProof, type ProvingDeps, proveEvent } from './prove-event.ts';

const lookAgainMs = 100;

/** No checkpoint that is published covers an event yet. */
export class CheckpointAwaited extends Transient {
  constructor(position: number) {
    super(
      'SERVICE_UNAVAILABLE',
      'the log has not published a checkpoint that covers this yet; try again shortly',
      `no checkpoint covers event ${position}: is a process with the role reactor running?`,
    );
  }
}

/**
 * Proves an event to be in the published log as soon as a checkpoint covers it. Rejects with
 * `CheckpointAwaited` if none does for so long, and as `proveEvent` does.
 */
export async function awaitInclusion(
  deps: ProvingDeps,
  position: number,
  waitMs: number,
): Promise<EventProof> {
  const end = performance.now() + waitMs;
  for (;;) {
    const last = await lastPublished(deps.db);
    if (last !== null && last.size >= position) return proveEvent(deps, position, last);
    if (performance.now() >= end) throw new CheckpointAwaited(position);
    await delay(lookAgainMs);
  }
}
