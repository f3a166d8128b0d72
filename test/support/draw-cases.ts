import type { Test } from 'tap';
import { isThorough } from './run-count.ts';
import { randomFrom } from './seed.ts';

/** One seed for all draws of a test file. */
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
let draws = 0;

/**
 * A random quarter of the cases, but at least one of each kind, in the order of the table. All cases where
 * `CI` is set. A kind is a branch of the code that all its cases go through. `SEED` replays all draws of a
 * test file.
 * - `oneOf`: draws one of so many cases of a kind, instead of one of four.
 * - `oneOfInCi`: the same where `CI` is set, instead of all.
 */
export function drawCases<Case>(
  t: Pick<Test, 'comment'>,
  cases: Iterable<Case>,
  kindOf: (one: Case) => string = () => '',
  { oneOf = 4, oneOfInCi = 1 }: { readonly oneOf?: number; readonly oneOfInCi?: number } = {},
): readonly Case[] {
  const all = [...cases];
  const share = isThorough ? oneOfInCi : oneOf;
  if (share === 1) return all;
  t.comment(`replay with SEED=${seed}`);
  const random = randomFrom(seed + draws++);
  const places = Map.groupBy(all.keys(), (place) => kindOf(all[place] as Case));
  const drawn = new Set<number>();
  for (const ofKind of places.values()) {
    const left = [...ofKind];
    for (let count = Math.ceil(left.length / share); count > 0; count -= 1) {
      const [place] = left.splice(Math.floor(random() * left.length), 1);
      if (place !== undefined) drawn.add(place);
    }
  }
  return all.filter((_, place) => drawn.has(place));
}

/** Starts the draws of the next test file of this process as a process of its own would. */
export function restartDraws(): void {
  draws = 0;
}
