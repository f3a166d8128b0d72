import type { OffloadedRoute } from '../route.ts';
import { getRun } from './get-run.ts';
import { listDecisions } from './list-decisions.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listDocuments } from './list-documents.ts';
import { listRuns } from './list-runs.ts';
import { listVersions } from './list-versions.ts';
import { postRun } from './post-run.ts';

/** Every offloaded endpoint. Worker threads load these modules alone. */
export const offloadedRoutes: readonly OffloadedRoute[] = [
  postRun,
  listRuns,
  getRun,
  listDecisions,
  listDocuments,
  listVersions,
  listDeliveries,
];
