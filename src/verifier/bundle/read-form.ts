import type { Form, ObjectShape, Shape } from './form.ts';

/** The value does not match the form. The message names the path of the mismatch. */
export class OutOfForm extends Error {
  constructor(path: readonly string[], why: string) {
    super(path.length === 0 ? why : `${path.join('.')}: ${why}`);
    this.name = 'OutOfForm';
  }
}

/** Returns a copy of the value, with its members in the order of the form. Throws `OutOfForm`. */
export function readForm<Value>(form: Form<Value>, value: unknown): Value {
  // `read` has checked the value against the form.
  return read(form, value, []) as Value;
}

function read(shape: Shape, value: unknown, path: readonly string[]): unknown {
  switch (shape.kind) {
    case 'object':
      return readObject(shape, value, path);
    case 'either':
      return readObject(chosen(shape, value, path), value, path);
    case 'nullable':
      return value === null ? null : read(shape.of, value, path);
    case 'list':
      if (!Array.isArray(value)) throw new OutOfForm(path, 'the value is not a list');
      if (value.length > shape.maxLength) {
        throw new OutOfForm(path, `the list has more than ${shape.maxLength} items`);
      }
      return value.map((each, index) => read(shape.of, each, [...path, `${index}`]));
    default: {
      const reason = reasonAgainst(shape, value);
      if (reason !== null) throw new OutOfForm(path, reason);
      return value;
    }
  }
}

type Plain = Exclude<Shape, { readonly kind: 'object' | 'either' | 'nullable' | 'list' }>;

function reasonAgainst(shape: Plain, value: unknown): string | null {
  switch (shape.kind) {
    case 'text':
      return reasonAgainstText(shape, value);
    case 'integer': {
      const { min, max } = shape;
      const isRight = Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
      return isRight ? null : `the value is not a whole number from ${min} to ${max}`;
    }
    case 'flag':
      return typeof value === 'boolean' ? null : 'the value is neither true nor false';
    case 'null':
      return value === null ? null : 'the value is not null';
    case 'choice': {
      const words = shape.values.map((each) => JSON.stringify(each)).join(' or ');
      return shape.values.some((each) => each === value) ? null : `the value is not ${words}`;
    }
  }
}

function reasonAgainstText(
  { maxLength = Number.POSITIVE_INFINITY, pattern }: Extract<Shape, { readonly kind: 'text' }>,
  value: unknown,
): string | null {
  if (typeof value !== 'string') return 'the value is not a text';
  if (isLonger(value, maxLength)) return `the text is longer than ${maxLength} characters`;
  return pattern === undefined || pattern.test(value) ? null : 'the text has the wrong format';
}

/** Counts characters as JSON Schema does: one beyond U+FFFF is one, although it has two code units. */
function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength);
}

function readObject(
  { members }: ObjectShape,
  value: unknown,
  path: readonly string[],
): Record<string, unknown> {
  const given = membersOf(value, path);
  const copy: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(members)) {
    if (!Object.hasOwn(given, name)) throw new OutOfForm([...path, name], 'the member is missing');
    copy[name] = read(shape, given[name], [...path, name]);
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(members, name));
  if (unknown === undefined) return copy;
  const where = path.length === 0 ? 'the bundle' : path.join('.');
  const shown = JSON.stringify(unknown.slice(0, maxNameShown));
  throw new OutOfForm([], `${where} has the unknown member ${shown}`);
}

/** Maximum length of an unknown name in a message. Such names are untrusted and quoted as JSON. */
const maxNameShown = 40;

function chosen(
  { by, shapes }: Extract<Shape, { readonly kind: 'either' }>,
  value: unknown,
  path: readonly string[],
): ObjectShape {
  const given = membersOf(value, path);
  const found = shapes.find(({ members: { [by]: shape } }) => {
    return shape?.kind === 'choice' && shape.values.some((each) => each === given[by]);
  });
  if (found === undefined)
    throw new OutOfForm([...path, by], 'this verifier does not know the value');
  return found;
}

function membersOf(value: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OutOfForm(path, 'the value is not an object');
  }
  return value as Record<string, unknown>;
}
