import type { z } from 'zod';
import { Refusal, type RefusalCode } from '../domain/refusal.ts';
import { withoutNulls } from './absent.ts';

/**
 * Input of a route: a path, a query or a body. `refusals` names the codes of single fields, in the
 * order of the checks. Any other mistake is INVALID_REQUEST.
 */
export interface Input<Value> {
  readonly schema: z.ZodType<Value>;
  readonly refusals?: Readonly<Record<string, RefusalCode>>;
}

/**
 * Parses an input; a refusal names the field. An optional member that is null counts as absent.
 * Refuses strings that cannot be stored byte for byte.
 * With `mayBeBroken: false` the caller has already excluded such strings.
 */
export function parseInput<Value>(
  input: Input<Value>,
  raw: unknown,
  { mayBeBroken = true }: { readonly mayBeBroken?: boolean } = {},
): Value {
  const { schema, refusals = {} } = input;
  const parsed = schema.safeParse(withoutNulls(schema, raw), { error: wording });
  if (parsed.success) {
    if (mayBeBroken) refuseBrokenStrings(parsed.data, refusals);
    return parsed.data;
  }
  const { issues } = parsed.error;
  for (const [field, code] of Object.entries(refusals)) {
    const issue = issues.find(({ path }) => path[0] === field);
    if (issue) throw new Refusal(code, sentence(issue));
  }
  const [first] = issues;
  throw new Refusal('INVALID_REQUEST', first ? sentence(first) : 'the input is invalid');
}

function sentence(issue: z.core.$ZodIssue): string {
  return `${issue.path.map(String).join('.') || 'body'}: ${issue.message}`;
}

/**
 * Refuses NUL and lone surrogates, which cannot be stored unchanged. Checks every string, including
 * keys. Avoids recursion: input may be nested as deeply as a megabyte allows.
 */
function refuseBrokenStrings(
  value: unknown,
  refusals: Readonly<Record<string, RefusalCode>>,
): void {
  const open: { readonly field: string; readonly value: unknown }[] = [{ field: '', value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { field, value } = next;
    if (typeof value === 'string') refuseBroken(field, value, refusals[field]);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        if (!Array.isArray(value)) refuseBroken(field || 'body', key);
        // Two levels identify the field; deeper names are the caller's own.
        const named = field === '' ? key : field.includes('.') ? field : `${field}.${key}`;
        open.push({ field: named, value: member });
      }
    }
  }
}

function refuseBroken(field: string, text: string, code: RefusalCode = 'INVALID_REQUEST'): void {
  if (text.includes('\0')) throw new Refusal(code, `${field}: must not contain NUL`);
  if (!text.isWellFormed()) throw new Refusal(code, `${field}: must not contain a lone surrogate`);
}

/** Default message for a value whose schema has none. The message follows the name of the field. */
function wording(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      if (Array.isArray(issue.input) && issue.expected !== 'object') {
        return `must be given once, as ${nounOf(issue.expected)}`;
      }
      return `must be ${nounOf(issue.expected)}`;
    case 'invalid_value': {
      const once = Array.isArray(issue.input) ? 'given once, as ' : '';
      return `must be ${once}one of ${issue.values.map(String).join(', ')}`;
    }
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function nounOf(expected: string): string {
  return nouns[expected] ?? `of the type ${expected}`;
}
