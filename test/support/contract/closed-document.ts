import { openApiDocument } from '../../../src/http/openapi/openapi-document.ts';
import { routes } from '../../../src/http/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, looked into at many places
export type Json = any;

/** The OpenAPI document as served under this public address. */
export function documentOf(publicUrl = 'https://proofs.proofmark.test'): Json {
  return JSON.parse(JSON.stringify(openApiDocument(routes, publicUrl)));
}

/**
 * The OpenAPI document with all objects closed unless they state otherwise. The published one permits new
 * members in answers; the service must send none that is undocumented.
 */
export function closedDocument(): Json {
  const document = documentOf();
  close(document);
  return document;
}

function close(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  if (value.type === 'object' && value.properties && value.additionalProperties === undefined) {
    value.additionalProperties = false;
  }
  for (const [name, member] of Object.entries(value)) {
    // Examples are data, not schemas.
    if (name !== 'example' && name !== 'examples') close(member);
  }
}
