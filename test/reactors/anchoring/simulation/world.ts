import { RestoringOperator } from './restoring-operator.ts';
import { Surroundings } from './surroundings.ts';

/** Surroundings of all processes of a run, with their operator. */
export class World extends Surroundings {
  /** An operator who restores the log after a loss. */
  readonly operator = new RestoringOperator(this);
}
