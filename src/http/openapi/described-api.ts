import { digestOf } from '../../domain/proof/digest-of.ts';
import { type CodedBytes, codedBytes } from '../headers/content-coding.ts';
import { openApiDocument, type Routes } from './openapi-document.ts';

/** The OpenAPI document as it is served: JSON in UTF-8. */
export type DescribedApi = CodedBytes;

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
  return codedBytes(bytes, digestOf(bytes));
}
