import type { EventOf, Recorded } from '../../src/domain/event.ts';

/** The state that a history leads to; each event is recorded a second after the one before. */
export function fold<State, Event extends EventOf<string, object>>(
  initial: State,
  evolve: (state: State, event: Recorded<Event>) => State,
  events: readonly Event[],
): State {
  return events.reduce((state, event, index) => {
    const recordedAt = new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString();
    return evolve(state, { ...event, recordedAt });
  }, initial);
}

/** The code and message of the refusal that `act` throws; fails loudly on anything else. */
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
