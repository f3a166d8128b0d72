import { defineOpenRoute } from '../route.ts';
import { transactionHashInput } from '../transaction-hash.ts';

export const verifyPage = defineOpenRoute({
  operationId: 'openVerification',
  tag: 'Verification',
  method: 'GET',
  path: '/verify/:txHash',
  scope: null,
  summary: 'Leads to the public verification of a transaction',
  params: transactionHashInput,
  responses: { 302: { description: 'to the verification', headers: ['Location'], empty: true } },
  refusals: ['INVALID_TX_HASH'],
  // Relative, so that it also holds where the service is reached below a path of a proxy.
  handle: async ({ params }) => ({
    status: 302,
    headers: { Location: `../api/public/verify/${params.txHash}` },
    body: null,
  }),
});
