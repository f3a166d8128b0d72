import { firstValueFrom, race, take, timer } from 'rxjs';
import { Unavailable } from '../errors/unavailable.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { LogSignal } from './log-signal.ts';
import type { ReadModels } from './projection.ts';

/** Dependencies of reading a read model that includes a change known from the store. */
export interface ReadDeps {
  readonly db: ReadModels;
  readonly store: EventStore;
  /** Ends the pauses of a wait early. */
  readonly signal: LogSignal;
}

/** The projection did not reach the position in time. The caller may try again. */
export class ProjectionBehind extends Unavailable {
  constructor(name: string, position: number) {
    super(
      'SERVICE_UNAVAILABLE',
      'the service is catching up; try again shortly',
      `the projection ${name} has not reached position ${position} yet`,
    );
  }

  override get operatorMessage(): string {
    return `the change is recorded, but not yet visible in lists (${this.message}): check that a process with the role projector runs`;
  }
}

const lookAgainMs = 5;

/**
 * Waits until the live build of the projection has folded the log up to `position`, so that a
 * caller reads its own append. Rejects with `ProjectionBehind` after `timeoutMs` (default 5 s).
 */
export async function awaitPosition(
  db: ReadModels,
  name: string,
  position: number,
  options: { readonly timeoutMs?: number; readonly signal?: LogSignal } = {},
): Promise<void> {
  const until = performance.now() + (options.timeoutMs ?? 5_000);
  for (let pauseMs = lookAgainMs; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    const row = await db
      .selectFrom('checkpoints')
      .select('position')
      .where('name', '=', name)
      .where('status', '=', 'live')
      .executeTakeFirst();
    if (row && row.position >= position) return;
    if (performance.now() >= until) throw new ProjectionBehind(name, position);
    const pause = timer(pauseMs);
    const hint = options.signal?.hints.pipe(take(1));
    await firstValueFrom(hint ? race(pause, hint) : pause, { defaultValue: undefined });
  }
}
