import { listDocuments } from '../documents/list-documents.ts';
import { listVersions } from '../documents/list-versions.ts';
import { getXpop } from '../proofs/get-xpop.ts';
import { postLookup } from '../proofs/post-lookup.ts';
import { offloadedRoutesWith } from '../rooms/routes-of.ts';
import type { OffloadedRoute } from '../route.ts';
import { getDecisionProof } from '../runs/get-decision-proof.ts';
import { getRun } from '../runs/get-run.ts';
import { getRunStatement } from '../runs/get-run-statement.ts';
import { listDecisions } from '../runs/list-decisions.ts';
import { listRuns } from '../runs/list-runs.ts';
import { postRun } from '../runs/post-run.ts';
import { listDeliveries } from '../webhooks/list-deliveries.ts';
import { listWebhooks } from '../webhooks/list-webhooks.ts';
import type { OffloadedDeps } from './offloaded-deps.ts';

/** Every offloaded endpoint. Worker threads load only these modules. */
export const offloadedRoutes: readonly OffloadedRoute<unknown, unknown, unknown, OffloadedDeps>[] =
  offloadedRoutesWith<OffloadedDeps>()(
    postRun,
    listRuns,
    getRun,
    getRunStatement,
    getDecisionProof,
    listDecisions,
    listDocuments,
    listVersions,
    listDeliveries,
    listWebhooks,
    getXpop,
    postLookup,
  );
