import { z } from 'zod';
import type { JsonFault } from '../domain/json-value.ts';

/**
 * A part of a body with free content. `find` checks the value, which is passed on unchanged. Zod
 * would copy it without members called `__proto__`, and report every mistake in it. `schema`
 * describes it in the OpenAPI document.
 */
export function freeValue<Value>(
  find: (value: unknown) => JsonFault | null,
  schema: Readonly<Record<string, unknown>>,
): z.ZodType<Value> {
  const checked = z
    .unknown()
    .superRefine((value, context) => {
      const fault = find(value);
      if (fault === null) return;
      const { why: message } = fault;
      // Later checks may rely on the value's form.
      context.addIssue({ code: 'custom', path: [...fault.path], message, continue: false });
    })
    .meta(schema);
  // A value without a fault is a Value. Zod's own types for this have no JSON schema.
  return checked as unknown as z.ZodType<Value>;
}
