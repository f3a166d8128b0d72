import {
  type Content,
  type Description,
  methods,
  type Operation,
  type Parameter,
  resolve,
} from './description.ts';

/** An operation with its path and its resolved parameters. */
export interface DescribedCall {
  readonly id: string;
  readonly method: string;
  /** Path in OpenAPI syntax, relative to `server`. */
  readonly path: string;
  /** URL without a trailing slash. */
  readonly server: string;
  /** True if the path is relative to the root of the host. */
  readonly isAtRoot: boolean;
  /** Null if no key is needed. */
  readonly scope: string | null;
  readonly tag: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly body: (Content & { readonly contentType: string }) | null;
}

/** All operations in the order of the tags. */
export function callsOf(description: Description): readonly DescribedCall[] {
  const found = Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((method): DescribedCall[] => {
      const operation = item[method];
      if (operation === undefined) return [];
      const [server = description.servers[0]] = item.servers ?? [];
      return [
        {
          id: operation.operationId,
          method: method.toUpperCase(),
          path,
          server: server?.url ?? '',
          isAtRoot: item.servers !== undefined,
          scope: operation.security[0]?.apiKey[0] ?? null,
          tag: operation.tags[0] ?? '',
          operation,
          parameters: (operation.parameters ?? []).map((each) => resolve(description, each)),
          body: bodyOf(operation),
        },
      ];
    }),
  );
  const order = description.tags.map(({ name }) => name);
  return found.toSorted((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag));
}

export function bodyOf({ requestBody }: Operation): DescribedCall['body'] {
  const [first] = Object.entries(requestBody?.content ?? {});
  return first === undefined ? null : { contentType: first[0], ...first[1] };
}

/** Example of a parameter: its own, else its schema's. */
export function exampleOf({ example, schema }: Parameter): unknown {
  return example ?? schema.examples?.[0] ?? schema.default;
}
