import { z } from 'zod';

export type JsonObject = { readonly [name: string]: unknown };

/**
 * Turns zod schemas into JSON Schema (2020-12, as OpenAPI 3.1 has it). Those with an `id` in their
 * `meta` become components, once each, and are referred to.
 */
export class JsonSchemas {
  readonly components = new Map<string, JsonObject>();

  /** Of what callers send (`input`) or are sent (`output`). Throws where no JSON Schema says it. */
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

/** Leaves out what zod says and callers need not be held to, and adds what it leaves out. */
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
  // The format says it.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  // Of what is transformed zod drops these, as they are of the type that comes out: so are ours, which
  // a query shows as numbers and booleans.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples as unknown[];
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default = def.defaultValue;
}

function toComponent(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
