import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from './closed-document.ts';

/** Validates a value by the schema at this place of the document; the errors, or null if it is valid. */
export type CheckValue = (pointer: string, value: unknown) => string | null;

/** Compiles each schema at its first use. */
export function createSchemaChecks(document: Json): CheckValue {
  // OpenAPI adds keywords to JSON Schema, such as `example`.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Formats for readers and tools, without a check.
  for (const name of ['binary', 'iri']) ajv.addFormat(name, true);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` });
    compiled.set(pointer, check);
    return check(value) ? null : ajv.errorsText(check.errors, { dataVar: 'it' });
  };
}

/** Builds a JSON pointer as a URI fragment. */
export function pointerTo(...names: readonly string[]): string {
  const steps = names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/${steps.map(encodeURIComponent).join('/')}`;
}
