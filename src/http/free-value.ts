import { z } from 'zod';
import type { Fault } from '../domain/json-value.ts';

/**
 * A part of a body that holds what callers like. It is checked by `find` and passed on as it is: zod
 * would make another object of it, without members called `__proto__`, and tell of every mistake in
 * it. `schema` is how the OpenAPI document shows it.
 */
export function freeValue<Value>(
  find: (value: unknown) => Fault | null,
  schema: Readonly<Record<string, unknown>>,
): z.ZodType<Value> {
  const checked = z
    .unknown()
    .superRefine((value, context) => {
      const fault = find(value);
      if (fault === null) return;
      const { why: message } = fault;
      // What follows may rely on the value's form.
      context.addIssue({ code: 'custom', path: [...fault.path], message, continue: false });
    })
    .meta(schema);
  // In which nothing was found is a Value; zod's own types for that have no JSON schema.
  return checked as unknown as z.ZodType<Value>;
}
