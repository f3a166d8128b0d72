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
) {
  return z
    .custom<Value>()
    .superRefine((value, context) => {
      const fault = find(value);
      if (fault === null) return;
      const { why: message } = fault;
      // What follows may rely on the value's form.
      context.addIssue({ code: 'custom', path: [...fault.path], message, continue: false });
    })
    .meta(schema);
}
