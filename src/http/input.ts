import type { z } from 'zod';
import { Refusal, type RefusalCode } from '../domain/refusal.ts';
import { wording } from './wording.ts';

/**
 * What a route reads from a path, a query or a body. `refusals` names the code of single fields,
 * in the order in which they are looked at; any other mistake is INVALID_REQUEST.
 */
export interface Input<Value> {
  readonly schema: z.ZodType<Value>;
  readonly refusals?: Readonly<Record<string, RefusalCode>>;
}

/**
 * Parses, or refuses naming the field. Strings that could not be kept byte for byte are refused. With
 * `mayBeBroken: false` the caller has excluded such strings already.
 */
export function parseInput<Value>(
  input: Input<Value>,
  raw: unknown,
  { mayBeBroken = true }: { readonly mayBeBroken?: boolean } = {},
): Value {
  const { schema, refusals = {} } = input;
  const parsed = schema.safeParse(raw, { error: wording });
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
 * NUL and lone surrogates cannot be stored as they came. Looks at every string there is, of keys
 * too, without recursion: input may be nested as deeply as a megabyte allows.
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
        // Two levels name the field well enough; names further down are the caller's own.
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
