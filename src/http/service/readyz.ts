import type { Logger } from 'pino';
import { firstValueFrom, from, map, race, timer } from 'rxjs';
import { z } from 'zod';
import { loggable } from '../../errors/loggable.ts';
import { success } from '../../views/output-fields.ts';
import { errorReply } from '../errors/error-reply.ts';
import { defineOpenRoute } from '../route.ts';

const timeoutMs = 3_000;

interface ReadinessDeps {
  /** Names the parts that are not ready; empty if the service is ready. */
  readonly readiness: () => Promise<readonly string[]>;
  /** Names the parts that do not work although the service is ready. */
  readonly degraded: () => Promise<readonly string[]>;
  /** Aborted when the service begins to stop. */
  readonly draining: AbortSignal;
  readonly log: Logger;
}

export const readyz = defineOpenRoute({
  operationId: 'getReadiness',
  tag: 'Service',
  method: 'GET',
  path: '/readyz',
  scope: null,
  unlimited: true,
  summary: 'Reports whether the service is ready',
  responses: {
    200: {
      description: 'ready; degraded names the parts that do not work, and is absent if all do',
      schema: z.object({ success, degraded: z.array(z.string()).optional() }),
      example: { success: true },
    },
    503: {
      description: 'not ready; notReady names the parts that are not ready',
      headers: ['Retry-After'],
      schema: z.object({
        success: z.literal(false),
        code: z.literal('SERVICE_UNAVAILABLE'),
        message: z.string(),
        notReady: z.array(z.string()),
      }),
      example: {
        success: false,
        code: 'SERVICE_UNAVAILABLE',
        message: 'not ready: ledger mainnet: not connected',
        notReady: ['ledger mainnet: not connected'],
      },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async (call, deps: ReadinessDeps) => {
    const notReady = await findNotReady(deps, call.requestId);
    if (notReady.length === 0) {
      const degraded = await deps.degraded();
      return { status: 200, body: { success: true, ...(degraded.length > 0 && { degraded }) } };
    }
    const reply = errorReply('SERVICE_UNAVAILABLE', `not ready: ${notReady.join(', ')}`);
    return { ...reply, body: { ...reply.body, notReady } };
  },
});

async function findNotReady(
  { readiness, draining, log }: ReadinessDeps,
  requestId: string,
): Promise<readonly string[]> {
  if (draining.aborted) return ['draining'];
  const silent = timer(timeoutMs).pipe(map(() => ['no answer within 3 s']));
  try {
    return await firstValueFrom(race(from(readiness()), silent));
  } catch (error) {
    log.error({ requestId, err: loggable(error) }, 'readiness check failed; /readyz answers 503');
    return ['readiness check'];
  }
}
