import { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import { maxDecisions } from '../../domain/run/decision.ts';
import { bytesOfRun, loadRun } from '../../loading/find-run.ts';
import { canonicalDecision, proveDecision, stateRun } from '../../run-statement/state-run.ts';
import { queryNumber, runId } from '../fields.ts';
import { costOfBytes, sizeCost } from '../limits/call-cost.ts';
import { defineOffloadedRoute } from '../route.ts';
import { exampleDecisionProof } from './run-examples.ts';
import { proofOfRun, type RunProofViewDeps, viewRunProof } from './run-proof.ts';
import { decisionProofResponse } from './run-schema.ts';

export const getDecisionProof = defineOffloadedRoute({
  operationId: 'getAgentDecisionProof',
  tag: 'Agent runs',
  method: 'GET',
  path: '/agent/runs/:id/decisions/:index',
  scope: 'documents:read',
  isOffloaded: true,
  summary: 'One decision of an agent run, with the proof that it is in the statement of the run',
  description:
    'The answer shows one decision without the others: an inclusion proof (RFC 6962) leads from it to ' +
    'decisionsRootHash of the statement, and the SHA-256 of the statement is what is anchored.',
  params: {
    schema: z.object({
      id: runId,
      index: queryNumber(0, maxDecisions - 1).meta({
        description: 'the place of the decision in its run, from 0',
        examples: [0],
      }),
    }),
  },
  cost: sizeCost('the stored run (11 for a report of 8 MB)'),
  responses: {
    200: {
      description: 'the decision and its inclusion proof',
      schema: decisionProofResponse,
      example: { success: true, data: exampleDecisionProof },
    },
  },
  refusals: ['RUN_NOT_FOUND'],
  handle: async ({ caller, params, weigh }, deps: RunProofViewDeps) => {
    const { organisationId } = caller;
    const { id, index } = params;
    await weigh(costOfBytes(await bytesOfRun(deps.store, organisationId, id)));
    const run = await loadRun(deps.store, organisationId, id);
    const decision = run.decisions[index];
    if (decision === undefined) {
      const why = `the run has ${run.decisions.length} stored decisions, counted from 0`;
      throw new Refusal('RUN_NOT_FOUND', why);
    }
    const stated = stateRun(run);
    const hashes = await proveDecision(stated, index);
    const data = {
      runId: run.runId,
      decisionIndex: index,
      decision,
      canonicalDecision: canonicalDecision(decision),
      leafHash: stated.leaves[index]?.toString('hex'),
      treeSize: stated.leaves.length,
      rootHash: stated.root.toString('hex'),
      hashes: hashes.map((hash) => hash.toString('hex')),
      statement: new TextDecoder().decode(stated.bytes),
      statementHash: stated.digest,
      ...(await viewRunProof(deps, await proofOfRun(deps.store, run, stated))),
    };
    return { status: 200, body: { success: true, data } };
  },
});
