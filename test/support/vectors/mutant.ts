import type { Random } from '../seed.ts';
import type { VectorInput } from './vector.ts';

/** Members of a vector in place of its evidence or of its options; null if the vector cannot be altered so. */
export type Mutant = Omit<Partial<VectorInput>, 'id' | 'about'> | null;

export type Mutate = (base: VectorInput, random: Random) => Mutant;
