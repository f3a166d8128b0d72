import type { Test } from 'tap';
import { awaitPosition } from '../../src/subscriptions/await-position.ts';
import {
  type Answer,
  type HttpService,
  joinHttpService,
  startHttpService,
} from './http-service.ts';

/** Starts a service with an organisation whose agent reports runs. */
export async function startRunService(
  t: Pick<Test, 'teardown'>,
  options: Parameters<typeof startHttpService>[1] = {},
) {
  return openRunSite(await startHttpService(t, options));
}

/** An organisation whose agent reports runs, in the service that test files share (`joinHttpService`). */
export async function joinRunService(...given: Parameters<typeof joinHttpService>) {
  return openRunSite(await joinHttpService(...given));
}

async function openRunSite(service: HttpService) {
  const organisation = await service.openOrganisation();
  const { organisationId, workspaceId: workspace } = organisation;
  const key = await service.issueKey(organisationId, { agent: true });
  /** Waits, as long as a busy machine needs, until lists show all events. */
  const settle = async () =>
    awaitPosition(service.services.events.db, 'agent-runs', await service.store.head(), {
      timeoutMs: 120_000,
    });
  return { ...organisation, ...callsOf(service, key), service, workspace, key, settle };
}

/** API calls with one key. */
export function callsOf(service: HttpService, key: string) {
  const get = (path: string, as = key): Promise<Answer> => service.call('GET', path, { key: as });
  return {
    get,
    post: (json: unknown, as = key): Promise<Answer> =>
      service.call('POST', '/agent/runs', { key: as, json }),
    /** Posts a body unchanged. */
    postText: (body: string | Uint8Array): Promise<Answer> =>
      service.call('POST', '/agent/runs', {
        key,
        body,
        headers: { 'content-type': 'application/json' },
      }),
    read: (runId: string, as = key): Promise<Answer> =>
      get(`/agent/runs/${encodeURIComponent(runId)}`, as),
  };
}
