import { setTimeout as delay } from 'node:timers/promises';
import { Transient } from '../../errors/transient.ts';
import { lastPublished } from '../published/published-checkpoints.ts';
import { type EventProof, type ProvingDeps, proveEvent } from './prove-event.ts';

const lookAgainMs = 100;

/** No published checkpoint covers the event yet. */
export class CheckpointAwaited extends Transient {
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
 * `CheckpointAwaited` if none does within `waitMs`, and with the errors of `proveEvent`.
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
