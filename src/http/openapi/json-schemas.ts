import { z } from 'zod';

export type JsonObject = { readonly [name: string]: unknown };

/**
 * Converts zod schemas to JSON Schema (2020-12, as in OpenAPI 3.1). Each schema with an `id` in its
 * `meta` becomes one component, which other schemas reference.
 */
export class JsonSchemas {
  readonly components = new Map<string, JsonObject>();

  /**
   * Schema of the data that callers send (`input`) or receive (`output`). Throws if JSON Schema
   * cannot express it.
   */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: tidy });
    for (const [id, definition] of Object.entries($defs)) this.add(id, toComponent(definition));
    return toComponent(own);
  }

  private add(id: string, definition: JsonObject): void {
    const known = this.components.get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`two schemas have the id ${id}`);
    }
    this.components.set(id, definition);
  }
}

/**
 * Removes constraints that do not bind callers, and adds the examples and defaults that zod omits.
 */
function tidy({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  // An answer may have more members in a later version.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // The format implies the pattern.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Zod drops the examples of transformed values, since such examples have the output type. Ours
  // have the output type too: a query shows them as numbers and booleans.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples as unknown[];
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default = def.defaultValue;
}

function toComponent(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
