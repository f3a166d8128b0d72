import { type Description, resolve, type Schema } from './description.ts';

/** The schema without its alternative null, and whether it had one. */
export function withoutNull(
  description: Description,
  schema: Schema,
): { readonly schema: Schema; readonly mayBeNull: boolean } {
  const { anyOf, type, ...rest } = resolve(description, schema) as Schema;
  if (Array.isArray(type)) {
    const types = type.filter((each) => each !== 'null');
    const left = types.length === 1 ? types[0] : types;
    return { schema: { ...rest, type: left }, mayBeNull: types.length < type.length };
  }
  if (anyOf === undefined) return { schema: { ...rest, ...(type && { type }) }, mayBeNull: false };
  const others = anyOf.filter((each) => each.type !== 'null');
  const [only] = others;
  const mayBeNull = others.length < anyOf.length;
  if (others.length !== 1 || only === undefined)
    return { schema: { ...rest, anyOf: others }, mayBeNull };
  const inner = withoutNull(description, only);
  return { schema: { ...inner.schema, ...rest }, mayBeNull: mayBeNull || inner.mayBeNull };
}

/** Type in words, such as `list of strings` or `integer or null`. */
export function typeInWords(description: Description, given: Schema): string {
  const { schema, mayBeNull } = withoutNull(description, given);
  return mayBeNull ? `${plainType(description, schema)} or null` : plainType(description, schema);
}

function plainType(description: Description, schema: Schema): string {
  const { type, format, anyOf, items } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (anyOf !== undefined) {
    const words = anyOf.map((each) => typeInWords(description, each));
    return [...new Set(words)].join(' or ');
  }
  if (type === 'array') return items ? `list of ${many(typeInWords(description, items))}` : 'list';
  if (format === 'binary') return 'file';
  if (format === 'date-time') return 'time (ISO 8601)';
  if (format === 'uri' || format === 'iri') return 'URL';
  return type === undefined ? 'any JSON' : [type].flat().join(' or ');
}

function many(words: string): string {
  return /^(string|integer|number|boolean|object|file|list)$/.test(words) ? `${words}s` : words;
}

/** Limits in words, such as `1 to 100`; Markdown. */
export function limitsInWords(description: Description, given: Schema): readonly string[] {
  const { schema } = withoutNull(description, given);
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const values =
    schema.enum ?? (schema.items && withoutNull(description, schema.items).schema.enum);
  return [
    ...(values === undefined ? [] : [`one of ${values.map(code).join(', ')}`]),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(pattern === undefined ? [] : [`pattern ${code(pattern)}`]),
    ...(schema.default === undefined ? [] : [`default ${code(schema.default)}`]),
  ];
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const written = (value: number) => value.toLocaleString('en');
  if (least !== undefined && most !== undefined) {
    return [`${written(least)} to ${written(most)}${unit}`];
  }
  if (least !== undefined)
    return least === 0 && unit !== '' ? [] : [`at least ${written(least)}${unit}`];
  return most === undefined ? [] : [`at most ${written(most)}${unit}`];
}
