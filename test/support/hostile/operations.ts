import { deref, type JsonSchema } from './json-schema.ts';

/** An operation of the document with all references resolved. */
export interface Operation {
  readonly method: string;
  /** Path below the host, with `{name}` for parameters. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Body | null;
  /** Scope of the key; null if no key is needed. */
  readonly scope: string | null;
  readonly statuses: readonly number[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Body {
  readonly contentType: string;
  readonly schema: JsonSchema;
}

export interface OpenApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly security?: readonly Requirement[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
}

type Requirement = Readonly<Record<string, readonly string[]>>;

interface RawOperation {
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly security?: readonly Requirement[];
  readonly servers?: readonly { readonly url: string }[];
  readonly responses: Readonly<Record<string, object>>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head'];

/** All operations of the document, under the first server that it names. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const shared = (item as { readonly parameters?: readonly object[] }).parameters ?? [];
    return Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, raw]) => toOperation(document, path, method, raw, shared, item));
  });
}

function toOperation(
  document: OpenApiDocument,
  path: string,
  method: string,
  raw: RawOperation,
  shared: readonly object[],
  item: object,
): Operation {
  const { servers: ofItem } = item as { readonly servers?: readonly { readonly url: string }[] };
  const [server] = raw.servers ?? ofItem ?? document.servers;
  const base = new URL(server?.url ?? '', 'http://127.0.0.1').pathname.replace(/\/$/, '');
  const parameters = [...shared, ...(raw.parameters ?? [])].map((one) => {
    const { required = false, ...rest } = deref(document, one) as Parameter;
    return { ...rest, required };
  });
  const [requirement] = raw.security ?? document.security ?? [];
  const [scopes] = Object.values(requirement ?? {});
  return {
    method: method.toUpperCase(),
    path: `${base}${path}`,
    parameters,
    body: bodyOf(document, raw.requestBody),
    scope: scopes?.[0] ?? null,
    statuses: Object.keys(raw.responses).map(Number),
  };
}

function bodyOf(document: OpenApiDocument, raw: object | undefined): Body | null {
  if (raw === undefined) return null;
  const { content } = deref(document, raw) as {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  const [first] = Object.entries(content);
  if (first === undefined) return null;
  const [contentType, { schema }] = first;
  return { contentType, schema: deref(document, schema) };
}
