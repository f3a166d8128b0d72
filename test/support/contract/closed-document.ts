import { routes } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/openapi/openapi-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, looked into at many places
export type Json = any;

/** The document as it is served to whoever reaches the service there. */
export function documentOf(publicUrl = 'https://proofs.proofmark.test'): Json {
  return JSON.parse(JSON.stringify(openApiDocument(routes, publicUrl)));
}

/**
 * The same with every object closed that does not say otherwise: the published one lets answers gain
 * members, ours must have none that is not documented.
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
    // Examples are no schemas.
    if (name !== 'example' && name !== 'examples') close(member);
  }
}
