import type { Input } from '../input.ts';
import type { Route } from '../route.ts';
import type { JsonObject, JsonSchemas } from './json-schemas.ts';

/** A field of a path or a query. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: unknown;
  readonly schema: JsonObject;
}

/** What a route reads from its path and its query. */
export function parametersOf({ params, query }: Route, schemas: JsonSchemas): Parameter[] {
  return [...fieldsOf(params, 'path', schemas), ...fieldsOf(query, 'query', schemas)];
}

function fieldsOf(
  input: Input<unknown> | undefined,
  where: Parameter['in'],
  schemas: JsonSchemas,
): Parameter[] {
  if (input === undefined) return [];
  // A path or a query is an object of fields.
  const { properties = {}, required = [] } = schemas.of(input.schema, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
}

/** The body that a route takes, with an example of it. */
export interface RequestBody {
  readonly contentType: 'application/json' | 'multipart/form-data';
  readonly schema: JsonObject;
  readonly example: object;
}

/** Null where a route takes none. */
export function requestBodyOf(route: Route, schemas: JsonSchemas): RequestBody | null {
  if ('form' in route) {
    const { schema, example } = route.form;
    const fields = schemas.of(schema, 'input') as ObjectSchema;
    const whole = {
      ...fields,
      properties: { file, ...fields.properties },
      required: ['file', ...(fields.required ?? [])],
    };
    return {
      contentType: 'multipart/form-data',
      schema: whole,
      example: { file: 'Proofmark', ...example },
    };
  }
  if (!('body' in route) || route.body === undefined) return null;
  const { schema, example } = route.body;
  return { contentType: 'application/json', schema: schemas.of(schema, 'input'), example };
}

const file = {
  type: 'string',
  format: 'binary',
  contentMediaType: 'application/octet-stream',
  description:
    'The bytes, with a file name of at most 255 characters: one part alone; 100 MB unless the operator ' +
    'says otherwise.',
};
