import { z } from 'zod';
import { defineOpenRoute } from '../route.ts';

export const healthz = defineOpenRoute({
  method: 'GET',
  path: '/healthz',
  scope: null,
  summary: 'The process is alive',
  responses: {
    200: { description: 'alive', schema: z.object({ success: z.literal(true) }) },
  },
  refusals: [],
  handle: async () => ({ status: 200, body: { success: true } }),
});
