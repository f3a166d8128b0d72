import { parametersOf, requestBodyOf } from '../openapi/inputs.ts';
import { type JsonObject, JsonSchemas } from '../openapi/json-schemas.ts';
import { type Routes, templateOf } from '../openapi/openapi-document.ts';
import type { RouteDescription } from '../route-description.ts';
import type { EndpointSkeleton } from './quickstart-schema.ts';

/** Minimum information for calling each route. */
export function endpointSkeletons(
  routes: Routes,
  { baseUrl, apiRoot }: { readonly baseUrl: string; readonly apiRoot: string },
): EndpointSkeleton[] {
  return [
    ...routes.based.map((route) => skeletonOf(route, baseUrl)),
    ...routes.root.map((route) => skeletonOf(route, apiRoot)),
  ];
}

function skeletonOf(route: RouteDescription, base: string): EndpointSkeleton {
  const schemas = new JsonSchemas();
  const path = templateOf(route);
  const body = requestBodyOf(route, schemas);
  return {
    operationId: route.operationId,
    method: route.method,
    path,
    url: `${base}${path}`,
    scope: route.scope,
    summary: route.summary,
    parameters: parametersOf(route, schemas).map(({ name, in: where, required }) => ({
      name,
      in: where,
      required,
    })),
    contentType: body?.contentType ?? null,
    requiredFields: body === null ? [] : requiredOf(body.schema, schemas),
    exampleBody: body?.example ?? null,
    success: Object.keys(route.responses)
      .map(Number)
      .filter((status) => status < 400),
  };
}

/** Required fields of an object, or of the component that it refers to. */
function requiredOf(schema: JsonObject, { components }: JsonSchemas): string[] {
  const { $ref, required = [] } = schema as { $ref?: string; required?: string[] };
  const named = $ref === undefined ? undefined : components.get($ref.split('/').at(-1) ?? '');
  return named === undefined ? required : requiredOf(named, new JsonSchemas());
}
