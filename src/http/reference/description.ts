import type { JsonObject } from '../openapi/json-schemas.ts';

/** The parts of the OpenAPI document that the reference shows. */
export interface Description {
  readonly info: {
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly servers: readonly Server[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly securitySchemes: { readonly apiKey: { readonly description: string } };
  } & Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
}

interface Server {
  readonly url: string;
  readonly description: string;
}

type PathItem = { readonly servers?: readonly Server[] } & {
  readonly [Name in Method]?: Operation;
};

export const methods = ['get', 'post', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

interface Ref {
  readonly $ref: string;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly { readonly apiKey: readonly string[] }[];
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer | Ref>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Ref>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Header {
  readonly description: string;
}

/** JSON Schema (2020-12), as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The component at a reference, or the value itself. Throws if there is no such component. */
export function resolve<Value extends object>(
  { components }: Description,
  value: Value | Ref,
): Exclude<Value, Ref> {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Exclude<Value, Ref>;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const found = components[kind]?.[name];
  if (found === undefined) throw new Error(`the description has no ${value.$ref}`);
  // The document is made by this service, with components of the kind that the reference needs.
  return found as unknown as Exclude<Value, Ref>;
}
