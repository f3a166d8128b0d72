/** One sample of Prometheus' text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const samplePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/**
 * Parses the text format (https://prometheus.io/docs/instrumenting/exposition_formats). Throws if a line is
 * invalid, a sample has no type or help before it, or a sample is repeated.
 */
export function readExposition(text: string): readonly Sample[] {
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const seen = new Set<string>();
  const samples: Sample[] = [];
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP' && name) helped.add(name);
    else if (kind === 'TYPE' && name && rest) {
      if (types.has(name)) throw new Error(`two types: ${line}`);
      types.set(name, rest);
    } else {
      const sample = readSample(line);
      const family = familyOf(sample.name, types);
      if (family === null || !helped.has(family)) throw new Error(`no type or help: ${line}`);
      const series = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(series)) throw new Error(`there twice: ${line}`);
      seen.add(series);
      samples.push(sample);
    }
  }
  return samples;
}

/** Types of the metrics by name, from the TYPE lines. */
export function announcedTypes(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
}

/** Value of the only sample with these labels, or undefined. */
export function sampleValue(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value;
}

function readSample(line: string): Sample {
  const [, name, inner = '', number = ''] = samplePattern.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  labelPattern.lastIndex = 0;
  for (let end = 0; end < inner.length; end = labelPattern.lastIndex) {
    const match = labelPattern.exec(inner);
    if (match === null) throw new Error(`labels: ${line}`);
    labels[match[1] ?? ''] = match[2] ?? '';
  }
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
  if (Number.isNaN(value) && number !== 'Nan') throw new Error(`no number: ${line}`);
  return { name, labels, value };
}

function familyOf(name: string, types: ReadonlyMap<string, string>): string | null {
  if (types.has(name)) return name;
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return ['histogram', 'summary'].includes(types.get(base) ?? '') ? base : null;
}
