import { parser } from '@prometheus-io/lezer-promql';

/** Names of the metrics that a PromQL expression selects. Throws if it is no expression. */
export function metricNames(expression: string): readonly string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expression}`);
      if (node.name !== 'VectorSelector') return;
      const [name = ''] = /^[a-zA-Z_:][\w:]*/.exec(expression.slice(node.from, node.to)) ?? [];
      if (name === '') throw new Error(`a selector without a name: ${expression}`);
      names.push(name);
    },
  });
  if (names.length === 0) throw new Error(`it selects nothing: ${expression}`);
  return names;
}

/** The metric of a series: a histogram has three kinds of series. */
export function familyOf(series: string, families: ReadonlyMap<string, string>): string {
  const base = series.replace(/_(bucket|sum|count)$/, '');
  return families.get(base) === 'histogram' ? base : series;
}
