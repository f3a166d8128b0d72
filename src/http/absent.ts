import type { ParsedUrlQuery } from 'node:querystring';
import { z } from 'zod';

/**
 * Returns the members of a JSON body without optional members that are null: null means absent. A
 * schema that gives null a meaning of its own keeps it. Looks into objects of known members, and
 * changes nothing in free values.
 */
export function withoutNulls(schema: z.ZodType, raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const members = membersOf(schema);
  if (members === null) return raw;
  let without: Record<string, unknown> | null = null;
  for (const [name, { isAbsentIfNull, schema }] of members) {
    if (!Object.hasOwn(raw, name)) continue;
    const value = raw[name];
    if (value === null) {
      if (!isAbsentIfNull) continue;
      without ??= { ...raw };
      delete without[name];
    } else {
      const kept = withoutNulls(schema, value);
      if (kept === value) continue;
      without ??= { ...raw };
      without[name] = kept;
    }
  }
  return without ?? raw;
}

/** Returns the parameters of a query without empty ones: an empty value means absent. */
export function withoutEmpty(
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
): ParsedUrlQuery {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const given = [value ?? []].flat().filter((one) => one !== '');
      return given.length === 0 ? [] : [[name, given.length === 1 ? given[0] : given]];
    }),
  );
}

interface Member {
  /** True if the member is optional, and null has no meaning of its own. */
  readonly isAbsentIfNull: boolean;
  readonly schema: z.ZodType;
}

const known = new WeakMap<z.ZodType, ReadonlyMap<string, Member> | null>();

/** Members of an object's schema, through optional and refined ones; null for any other schema. */
function membersOf(schema: z.ZodType): ReadonlyMap<string, Member> | null {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const object = unwrap(schema);
  const members =
    object instanceof z.ZodObject
      ? new Map(
          Object.entries(object.shape as Record<string, z.ZodType>).map(([name, schema]) => [
            name,
            { isAbsentIfNull: isOptional(schema) && !schema.safeParse(null).success, schema },
          ]),
        )
      : null;
  known.set(schema, members);
  return members;
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** True if an object may lack a member of this schema. */
function isOptional(schema: z.ZodType): boolean {
  return schema._zod.optin === 'optional';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
