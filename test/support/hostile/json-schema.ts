/** JSON Schema 2020-12, with the keywords that the service's document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** Resolves a `$ref` into the same document; returns other values unchanged. */
export function deref<Value extends object>(document: object, value: Value): Value {
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return value;
  const path = $ref.replace(/^#\//, '').split('/');
  let found: unknown = document;
  for (const step of path) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = (found as Record<string, unknown> | undefined)?.[name];
  }
  if (found === undefined) throw new Error(`the document has no ${$ref}`);
  return deref(document, found as Value);
}
