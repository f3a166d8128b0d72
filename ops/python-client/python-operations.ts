import { capital, type PythonTypes, type Schema } from './python-types.ts';

/** An operation of the OpenAPI document, with its method and its path. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isAtRoot: boolean;
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: Schema & { readonly maximum?: number };
}

/** POST operations that may be sent twice without a second effect, and those that may not. */
const idempotence: Readonly<Record<string, boolean>> = {
  createProof: true,
  createProofs: true,
  lookUpProofs: true,
  uploadDocument: true,
  // Its bytes are compared with the latest revision only, which another one may have become meanwhile.
  uploadRevision: false,
  recordAgentRun: true,
  createLink: false,
  createWebhook: false,
  rotateWebhookSecret: false,
  testWebhook: false,
  retryWebhookDelivery: false,
  retryFailedWebhookDeliveries: false,
  createApiKey: false,
};

/** Python methods of an operation; a list with pages has a second one, which yields all items. */
export function methodsOf(operation: Operation, types: PythonTypes): string {
  const { operationId, method, path, isAtRoot, summary } = operation;
  const own = (operation.parameters ?? []).filter(({ $ref }) => $ref === undefined);
  const inPath = own.filter((parameter) => parameter.in === 'path');
  const inQuery = own.filter((parameter) => parameter.in === 'query');
  const [contentType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const isForm = contentType === 'multipart/form-data';
  const prefers = (operation.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/Prefer'));
  const idempotent = method !== 'post' || idempotence[operationId];
  if (idempotent === undefined) throw new Error(`is ${operationId} idempotent?`);

  const positional = inPath.map(({ name, schema }) => `${snake(name)}: ${simpleType(schema)}`);
  if (isForm) positional.push('file: FileToSend');
  if (body !== undefined) {
    const name = `${capital(operationId)}${isForm ? 'Fields' : 'Body'}`;
    positional.push(
      `${isForm ? 'fields' : 'body'}: ${bodyType(isForm ? withoutFile(body.schema) : body.schema, name, types)}`,
    );
  }
  const named = inQuery.map(
    ({ name, schema }) => `${snake(name)}: Optional[${typeOfQuery(schema)}] = None`,
  );
  if (prefers) named.push('respond_async: bool = False');
  const { expression, reader, itemType } = answerOf(operation, types);

  const sent = [
    `"${method.toUpperCase()}"`,
    pathOf(path, inPath),
    ...(isAtRoot ? ['at_root=True'] : []),
    ...(inQuery.length > 0 ? [`query=${queryOf(inQuery)}`] : []),
    ...(isForm ? ['file=file, fields=fields'] : body !== undefined ? ['body=body'] : []),
    ...(prefers ? ['respond_async=respond_async'] : []),
    ...(idempotent ? [] : ['idempotent=False']),
  ].join(', ');
  const call = `self._${reader}(${sent})`;
  const value =
    expression === 'bytes' || expression === 'str' ? call : `cast(${expression}, ${call})`;
  const one = `    def ${snake(operationId)}(${parameters(positional, named)}) -> ${expression}:
        """${summary}."""
        return ${value}
`;
  const limit = inQuery.find(({ name }) => name === 'limit');
  if (limit === undefined || itemType === null) return one;
  const filters = inQuery.filter(({ name }) => name !== 'page' && name !== 'limit');
  const namedFilters = filters.map(
    ({ name, schema }) => `${snake(name)}: Optional[${typeOfQuery(schema)}] = None`,
  );
  const all = `    def ${snake(operationId).replace('list_', 'iter_')}(${parameters(positional, namedFilters)}) -> Iterator[${itemType}]:
        """${summary}: all pages, one item after the other."""
        return cast(Iterator[${itemType}], self._pages(${pathOf(path, inPath)}, ${limit.schema.maximum}, ${keyOf(itemType, types)}, at_root=${isAtRoot ? 'True' : 'False'}, query=${queryOf(filters)}))
`;
  return `${one}\n${all}`;
}

function answerOf({ operationId, responses }: Operation, types: PythonTypes) {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.entries(content));
  const [mediaType] = contents[0] ?? [];
  if (mediaType !== 'application/json') {
    const isText = mediaType === 'text/plain';
    return {
      expression: isText ? 'str' : 'bytes',
      reader: isText ? 'text' : 'bytes',
      itemType: null,
    };
  }
  const schemas = [
    ...new Map(contents.map(([, { schema }]) => [JSON.stringify(schema), schema])).values(),
  ];
  const names = schemas.map((schema, index) => {
    const name = `${capital(operationId)}Answer${index === 0 ? '' : index + 1}`;
    return bodyType(schema, name, types);
  });
  const items = schemas[0]?.properties?.data?.items?.$ref?.split('/').at(-1);
  return {
    expression: names.length > 1 ? `Union[${names.join(', ')}]` : String(names[0]),
    reader: 'json',
    itemType: items === undefined ? null : `types.${items}`,
  };
}

/** Member that identifies an item of a list; None for decisions, which are free objects. */
function keyOf(itemType: string, types: PythonTypes): string {
  const key = ['proofId', 'id', 'number'].find((name) =>
    types.requires(itemType.replace('types.', ''), name),
  );
  return key === undefined ? 'None' : JSON.stringify(key);
}

function bodyType(schema: Schema, name: string, types: PythonTypes): string {
  if (schema.$ref !== undefined) return `types.${schema.$ref.split('/').at(-1)}`;
  types.declare(name, schema);
  return `types.${name}`;
}

/** Members of a form without its file. JSON members are given as values, and sent as text. */
function withoutFile({ properties = {}, required = [], ...rest }: Schema): Schema {
  const fields = Object.entries(properties).filter(([name]) => name !== 'file');
  return {
    ...rest,
    properties: Object.fromEntries(
      fields.map(([name, schema]) => [
        name,
        'contentMediaType' in schema ? { type: 'object', additionalProperties: true } : schema,
      ]),
    ),
    required: required.filter((name) => name !== 'file'),
  };
}

function parameters(positional: readonly string[], named: readonly string[]): string {
  return ['self', ...positional, ...(named.length > 0 ? ['*', ...named] : [])].join(', ');
}

function pathOf(path: string, inPath: readonly Parameter[]): string {
  const template = path.replace(/\{\w+\}/g, '{}');
  return `("${template}", [${inPath.map(({ name }) => snake(name)).join(', ')}])`;
}

function queryOf(inQuery: readonly Parameter[]): string {
  return `{${inQuery.map(({ name }) => `"${name}": ${snake(name)}`).join(', ')}}`;
}

function simpleType({ type }: Schema): string {
  return type === 'integer' ? 'int' : 'str';
}

function typeOfQuery(schema: Schema): string {
  if (schema.enum !== undefined) {
    return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`;
  }
  return schema.type === 'boolean' ? 'bool' : simpleType(schema);
}

/** Names of parameters and methods in Python's manner. */
function snake(name: string): string {
  const words = name.replace(/([A-Z])/g, (letter) => `_${letter.toLowerCase()}`);
  return words === 'from' ? 'from_' : words;
}
