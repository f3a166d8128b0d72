import { z } from 'zod';
import { success } from '../../views/output-fields.ts';
import { defineOpenRoute } from '../route.ts';

export const healthz = defineOpenRoute({
  operationId: 'getHealth',
  tag: 'Service',
  method: 'GET',
  path: '/healthz',
  scope: null,
  unlimited: true,
  summary: 'Reports that the process is running',
  responses: {
    200: { description: 'alive', schema: z.object({ success }), example: { success: true } },
  },
  refusals: [],
  handle: async () => ({ status: 200, body: { success: true } }),
});
