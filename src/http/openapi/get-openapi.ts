import { z } from 'zod';
import { serveCoded } from '../headers/content-coding.ts';
import { notModifiedResponse } from '../headers/entity-tag.ts';
import { defineOpenRoute } from '../route.ts';
import type { DescribedApi } from './described-api.ts';
import { contractVersion } from './openapi-document.ts';

const part = z.record(z.string(), z.unknown());

export const getOpenApi = defineOpenRoute({
  operationId: 'getOpenApi',
  tag: 'Service',
  method: 'GET',
  path: '/openapi.json',
  scope: null,
  summary: 'The OpenAPI document of this API',
  headers: ['If-None-Match', 'Accept-Encoding'],
  responses: {
    200: {
      description: 'an OpenAPI document, version 3.1',
      headers: ['ETag', 'Content-Encoding'],
      schema: z.looseObject({ openapi: z.string(), info: part, paths: part, components: part }),
      example: {
        openapi: '3.1.1',
        info: { title: 'Proofmark', version: contractVersion },
        paths: {},
        components: {},
      },
    },
    304: notModifiedResponse,
  },
  refusals: [],
  handle: ({ headers }, deps: { readonly openApi: () => DescribedApi }) =>
    serveCoded(deps.openApi(), headers, { contentType: 'application/json' }),
});
