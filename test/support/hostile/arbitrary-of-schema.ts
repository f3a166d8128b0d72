import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from '../any-character.ts';
import { deref, type JsonSchema } from './json-schema.ts';

/** Values of a field that exist in the service, such as ids; null if the schema alone decides. */
export type Known = (name: string) => Arbitrary<unknown> | null;

interface Context {
  readonly document: object;
  readonly known: Known;
}

/** Generates values that a schema allows. Optional fields are sometimes missing. */
export function arbitraryOf(
  context: Context,
  given: JsonSchema,
  name = '',
  depth = 0,
): Arbitrary<unknown> {
  const known = context.known(name);
  if (known !== null) return known;
  const schema = deref(context.document, given);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) {
    return fc.oneof(...either.map((one) => arbitraryOf(context, one, '', depth)));
  }
  if (schema.allOf !== undefined) return allOf(context, schema.allOf, depth);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  return fc.oneof(...types.map((type) => ofType(type, context, schema, depth)));
}

function ofType(
  type: string,
  context: Context,
  schema: JsonSchema,
  depth: number,
): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return wholeNumbers(schema);
    case 'number':
      return numbers(schema);
    case 'string':
      return strings(schema);
    case 'array':
      return fc.array(arbitraryOf(context, schema.items ?? {}, '', depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, Math.max(3, schema.minItems ?? 0)),
      });
    case 'object':
      return objects(context, schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function allOf(context: Context, all: readonly JsonSchema[], depth: number): Arbitrary<unknown> {
  const parts = all.map((one) => arbitraryOf(context, one, '', depth));
  return fc.tuple(...parts).map((values) => Object.assign({}, ...(values as object[])));
}

function objects(context: Context, schema: JsonSchema, depth: number): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [
      name,
      arbitraryOf(context, one, name, depth + 1),
    ]),
  );
  const known = fc.record(fields, { requiredKeys: [...required] });
  if (typeof additionalProperties !== 'object' || depth > 2) return known;
  const name = strings({ maxLength: 12, ...schema.propertyNames });
  const more = fc.dictionary(name, arbitraryOf(context, additionalProperties, '', depth + 1), {
    maxKeys: 3,
  });
  return fc.tuple(more, known).map(([extra, own]) => ({ ...extra, ...own }));
}

function wholeNumbers({ minimum, maximum, exclusiveMinimum }: JsonSchema): Arbitrary<number> {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1);
  const max = Math.min(maximum ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const small = Math.min(max, Math.max(min, min + 20));
  return fc.oneof(fc.integer({ min, max: small }), fc.constantFrom(min, max));
}

function numbers({ minimum = -1e6, maximum = 1e6 }: JsonSchema): Arbitrary<number> {
  // At most two decimals: the API refuses longer numbers where it must keep them exactly.
  const hundredths = fc.integer({ min: Math.ceil(minimum * 100), max: Math.floor(maximum * 100) });
  return hundredths.map((value) => value / 100);
}

function strings(schema: JsonSchema): Arbitrary<string> {
  const { pattern, format, minLength = 0, maxLength = 2_000 } = schema;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  if (format === 'date-time') return dates;
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  const length = { minLength, maxLength: Math.min(maxLength, minLength + 24) };
  const full = fc.constantFrom('a', 'ß', '😀').map((one) => one.repeat(maxLength));
  const whole = fc
    .string({ unit: anyCharacter, ...length })
    .map((text) => text.replaceAll('\0', '0'));
  const plain = fc.string(length);
  if (maxLength > 2_000) return fc.oneof(whole, plain);
  return fc.oneof({ weight: 9, arbitrary: fc.oneof(whole, plain) }, { weight: 1, arbitrary: full });
}

const dates = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01T00:00:00Z') })
  .map((date) => date.toISOString());
