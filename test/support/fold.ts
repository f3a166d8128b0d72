import type { Decider } from '../../src/domain/decider.ts';
import type { EventOf } from '../../src/domain/event.ts';

/** State after a history of events, recorded one second apart; `before` is the state before them. */
export function fold<State, Event extends EventOf<string, object>>(
  { initial, evolve }: Decider<State, Event>,
  events: readonly Event[],
  before: State = initial,
): State {
  return events.reduce((state, event, index) => {
    const recordedAt = new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString();
    return evolve(state, { ...event, recordedAt });
  }, before);
}

/** Code and message of the refusal that `act` throws; any other result fails the test. */
export function refusalOf(act: () => unknown): { code: string; message: string } {
  try {
    act();
  } catch (error) {
    if (error instanceof Error && error.name === 'Refusal' && 'code' in error) {
      return { code: String(error.code), message: error.message };
    }
    throw error;
  }
  return { code: 'none', message: 'nothing was refused' };
}
