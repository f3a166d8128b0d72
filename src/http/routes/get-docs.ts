import { quickstart } from '../examples/quickstart-example.ts';
import { readAnchoringAccounts } from '../quickstart/anchoring-accounts.ts';
import { quickstartResponse } from '../quickstart/quickstart-schema.ts';
import { defineOpenRoute } from '../route.ts';

export const getDocs = defineOpenRoute({
  operationId: 'getQuickstart',
  tag: 'Service',
  method: 'GET',
  path: '/docs',
  scope: null,
  summary: 'The quickstart for programs: how to call and how to verify',
  responses: {
    200: {
      description: 'the quickstart',
      schema: quickstartResponse,
      example: { success: true, data: quickstart },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async (_call, deps) => {
    const [anchoringAccounts, logKeys] = await Promise.all([
      readAnchoringAccounts(deps),
      deps.logKeys(),
    ]);
    const data = { ...deps.quickstart(), anchoringAccounts, logKeys: [...logKeys] };
    return { status: 200, body: { success: true, data } };
  },
});
