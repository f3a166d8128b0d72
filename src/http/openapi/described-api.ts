import { digestOf } from '../../domain/proof/digest-of.ts';
import { entityTag } from '../headers/entity-tag.ts';
import { openApiDocument, type Routes } from './openapi-document.ts';

/** The OpenAPI document as it is served. */
export interface DescribedApi {
  /** JSON in UTF-8. */
  readonly bytes: Uint8Array;
  readonly etag: string;
}

/** Builds the document on first use: the public URL may not be known before the server listens. */
export function describeApi(routes: Routes, publicUrl: () => string): () => DescribedApi {
  let made: DescribedApi | undefined;
  return () => {
    made ??= describe(routes, publicUrl());
    return made;
  };
}

function describe(routes: Routes, publicUrl: string): DescribedApi {
  const bytes = Buffer.from(JSON.stringify(openApiDocument(routes, publicUrl)));
  return { bytes, etag: entityTag(digestOf(bytes)) };
}
