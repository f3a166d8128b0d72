/** Builds a body of POST /agent/runs. */
export type RunBody = (runId: string) => Buffer;

const maxBytes = 8_388_608;

/** Fewer than the limit of the service. */
const maxValues = 890_000;

/**
 * Bodies of up to 8 MB, each expensive to parse in a different way. Only the first has too many
 * values.
 */
export const runBodies = {
  'empty objects': (runId) => run(runId, '{}', Number.POSITIVE_INFINITY),
  'empty objects that are kept': (runId) => run(runId, decision(`"v":[${repeat('{}', 21_000)}]`)),
  'shortest decisions': (runId) => run(runId, decision()),
  'small numbers': (runId) => run(runId, decision(`"v":[${repeat('0', 31_000)}]`)),
  'large numbers': (runId) => run(runId, decision(`"v":[${repeat('12345678', 7_000)}]`)),
  'long numbers': (runId) => run(runId, decision(`"v":[${repeat(`1.${'0'.repeat(98)}`, 600)}]`)),
  'nested arrays': (runId) => unknownMember(runId, nested(maxValues)),
  'names of its own': (runId) => unknownMember(runId, `{${names(600_000)}}`),
  'names in decisions': (runId) =>
    run(runId, (index) => decision(names(3_600, `${index}-`))(index)),
  'one name again and again': (runId) => unknownMember(runId, `{${repeat('"a":1', maxValues)}}`),
  escapes: (runId) => run(runId, decision(`"v":"${'\\u0041'.repeat(10_000)}"`)),
  'one number': (runId) => unknownMember(runId, `0.${'1'.repeat(8_000_000)}`),
  'one string': (runId) => unknownMember(runId, `"${'\\"'.repeat(4_000_000)}"`),
} satisfies Readonly<Record<string, RunBody>>;

/** A run with the largest list entry that the limits allow. */
export function fatRun(runId: string): Buffer {
  const text = '"'.repeat(3_900);
  const list = Array.from({ length: 8_000 }, () => 'x');
  const counts = Object.fromEntries(Array.from({ length: 1_200 }, (_, n) => [`c${n}`, n]));
  const coverage = { of: Array.from({ length: 5_000 }, () => ({})) };
  const lists = { connectorsReached: list, connectorsUnreachable: list, unreadableGroups: list };
  return Buffer.from(
    JSON.stringify({ runId, objective: text, trigger: text, counts, coverage, ...lists }),
  );
}

function decision(more = ''): (index: number) => string {
  const text = `{"subject":"s","action":"a"${more === '' ? '' : `,${more}`}}`;
  return () => text;
}

function run(
  runId: string,
  of: string | ((index: number) => string),
  mostValues = maxValues,
): Buffer {
  const decisions: string[] = [];
  const head = `{"runId":"${runId}","decisions":[`;
  let values = 3;
  for (let length = head.length + 2; ; ) {
    const next = typeof of === 'string' ? of : of(decisions.length);
    length += next.length + 1;
    values += valuesOf(next);
    if (length > maxBytes || values > mostValues) break;
    decisions.push(next);
  }
  return Buffer.from(`${head}${decisions.join(',')}]}`);
}

/** Number of values in a decision. */
function valuesOf(text: string): number {
  return text.match(/[{[]|"(?:[^"\\]|\\.)*"(?!:)|[0-9][0-9.]*/g)?.length ?? 0;
}

function unknownMember(runId: string, value: string): Buffer {
  return Buffer.from(`{"runId":"${runId}","x":${value}}`);
}

function repeat(text: string, count: number): string {
  return Array.from({ length: count }, () => text).join(',');
}

function names(count: number, prefix = ''): string {
  return Array.from({ length: count }, (_, n) => `"${prefix}k${n}":1`).join(',');
}

function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}
