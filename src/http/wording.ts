import type { z } from 'zod';

/** What is wrong with a value, in words that follow its field's name, where its schema has none. */
export function wording(issue: z.core.$ZodRawIssue): string | undefined {
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
