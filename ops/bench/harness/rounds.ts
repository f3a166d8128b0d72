import { median, round } from './figures.ts';

/** Order of the variants in a round, rotated by one in each round. */
export function inTurn<Variant>(variants: readonly Variant[], round: number): readonly Variant[] {
  const first = round % variants.length;
  return [...variants.slice(first), ...variants.slice(0, first)];
}

/**
 * Measures variants alternately, after a warm-up round. `figures` are medians over the rounds.
 * `cost` is the median excess of a variant over the first one in the same round, as a share of the
 * first one.
 */
export async function compareInTurn<Name extends string>(
  names: readonly [Name, ...Name[]],
  { rounds, digits }: { readonly rounds: number; readonly digits: number },
  measure: (name: Name, round: string) => Promise<number>,
) {
  const [baseline] = names;
  const measured: Readonly<Record<Name, number>>[] = [];
  for (let number = 0; number <= rounds; number += 1) {
    const ofRound = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
    for (const name of inTurn(names, number)) {
      ofRound[name] = await measure(name, `round ${number}/${rounds}, ${name}`);
    }
    if (number > 0) measured.push(ofRound);
  }
  const table = (of: (round: Readonly<Record<Name, number>>, name: Name) => number, to: number) =>
    Object.fromEntries(
      names.map((name) => [name, round(median(measured.map((each) => of(each, name))), to)]),
    );
  return {
    rounds: measured,
    figures: table((each, name) => each[name], digits),
    cost: table((each, name) => each[name] / each[baseline] - 1, 3),
  };
}
