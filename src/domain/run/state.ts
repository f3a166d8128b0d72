import type { Recorded } from '../event.ts';
import type { RunEvent, RunRecorded } from './events.ts';

export type RecordedRun = RunRecorded['data'];

export type RunState =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'recorded' } & RecordedRun);

export const unknownRun: RunState = { status: 'unknown' };

/** Folds one event into the state. Throws if the event cannot follow, which is a defect. */
export function evolveRun(state: RunState, event: Recorded<RunEvent>): RunState {
  switch (event.type) {
    case 'RunRecorded':
      if (state.status !== 'unknown') throw new Error('RunRecorded of a run that is on record');
      return { status: 'recorded', ...event.data };
  }
}
