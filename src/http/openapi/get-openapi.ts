import { z } from 'zod';
import { isHeld, notModified, notModifiedResponse } from '../headers/entity-tag.ts';
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
  headers: ['If-None-Match'],
  responses: {
    200: {
      description: 'an OpenAPI document, version 3.1',
      headers: ['ETag'],
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
  handle: async ({ headers }, deps: { readonly openApi: () => DescribedApi }) => {
    const { bytes, etag: ETag } = deps.openApi();
    if (isHeld(headers['if-none-match'], ETag)) return notModified({ ETag });
    const type = { 'Content-Type': 'application/json' };
    return { status: 200, headers: { ...type, ETag }, body: bytes };
  },
});
