import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from './closed-document.ts';

/** Says what is wrong with a value, by the schema at a place of an OpenAPI document; null if nothing. */
export type CheckValue = (pointer: string, value: unknown) => string | null;

/** Schemas are compiled when they are first asked for. */
export function createSchemaChecks(document: Json): CheckValue {
  // OpenAPI has keywords of its own, such as `example`.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // Names that say something to people and tools.
  for (const name of ['binary', 'iri']) ajv.addFormat(name, true);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` });
    compiled.set(pointer, check);
    return check(value) ? null : ajv.errorsText(check.errors, { dataVar: 'it' });
  };
}

/** A JSON pointer as a fragment. */
export function pointerTo(...names: readonly string[]): string {
  const steps = names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/${steps.map(encodeURIComponent).join('/')}`;
}
