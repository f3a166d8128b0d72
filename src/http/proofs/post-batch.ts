import type { Logger } from 'pino';
import { z } from 'zod';
import type { Network } from '../../domain/network.ts';
import { Refusal } from '../../domain/refusal.ts';
import { loggable } from '../../errors/loggable.ts';
import { requireWorkspace } from '../../loading/require-workspace.ts';
import { errorAdvice } from '../errors/error-advice.ts';
import { faultReply } from '../errors/error-reply.ts';
import { replyToError } from '../errors/reply-to-error.ts';
import { workspaceId } from '../fields.ts';
import { prefersAsync } from '../headers/prefer.ts';
import type { Reply } from '../reply.ts';
import { defineRoute, type KeyedCall } from '../route.ts';
import { batchItems, maxItems } from './batch-items.ts';
import { batchResponse, queuedBatchResponse } from './batch-schema.ts';
import { type BeginProofDeps, beginProof, LedgerAway } from './begin-proof.ts';
import {
  completedProof,
  fileHash,
  knownProof,
  otherFileHash,
  pendingStatus,
  workspace,
} from './proof-examples.ts';
import { toOrder } from './proof-members.ts';
import { proveEach } from './prove-each.ts';

/** 1,000 hashes, each described in about 4 kB. */
const maxBytes = 4_194_304;

/** Dependencies of proving a batch. */
interface PostBatchDeps extends BeginProofDeps {
  /** Network for new proofs. */
  readonly network: Network;
  readonly log: Logger;
}

const rolledBack = {
  status: 502,
  retryAfterSeconds: 5,
  body: { success: false, code: 'XRPL_ERROR', message: errorAdvice.XRPL_ERROR.message },
};

export const postBatch = defineRoute({
  operationId: 'createProofs',
  tag: 'Proofs',
  method: 'POST',
  path: '/proofs/batch',
  scope: 'documents:write',
  awaitsProof: true,
  summary: `Proves up to ${maxItems.toLocaleString('en')} files of one workspace by their hashes`,
  description:
    'Each item has the members of POST /proofs, without the workspace. It is decided for itself and ' +
    'gets the result that POST /proofs would give: its status and its body. The results are in the ' +
    'order of the items. An error of one item changes nothing for the others, so read the status of ' +
    'each. Only if the batch as a whole cannot be read is it refused, and nothing is recorded. Items ' +
    'are idempotent by hash and workspace: after a broken connection, send the batch again. No hash ' +
    'is proven twice.',
  headers: ['Prefer'],
  cost: {
    description:
      'The call counts as one request, and its items count against the limit of items a day, except for ' +
      'those that are refused at once because the ledger is away.',
    of: () => 1,
  },
  body: {
    schema: z.object({ workspace: workspaceId, items: batchItems }),
    refusals: { workspace: 'INVALID_WORKSPACE' },
    example: {
      workspace,
      items: [
        { hash: fileHash, fileName: 'proofmark.txt', fileSize: 10 },
        { hash: otherFileHash, fileName: 'other.txt' },
      ],
    },
    maxBytes,
    // The metadata are given back as they were sent.
    exactly: true,
    // The list, and the item in it.
    levelsAbove: 2,
  },
  responses: {
    200: {
      description: 'one result per item, in their order',
      schema: batchResponse,
      example: {
        success: true,
        data: [{ status: 201, body: { success: true, data: completedProof } }, rolledBack],
      },
    },
    202: {
      description: 'queued, as requested by Prefer: respond-async; one result per item',
      headers: ['Preference-Applied'],
      schema: queuedBatchResponse,
      example: {
        success: true,
        data: [
          { status: 202, body: { success: true, data: pendingStatus } },
          { status: 200, body: { success: true, alreadyProven: true, data: knownProof } },
        ],
      },
    },
  },
  refusals: ['INVALID_WORKSPACE'],
  handle: async (call, deps: PostBatchDeps) => {
    const { body, caller, headers, requestId } = call;
    const { workspace, items } = body;
    const { organisationId } = caller;
    await requireWorkspace(deps.store, { organisationId, workspaceId: workspace });
    const giveBackItems = await call.countItems(items.length);
    const respondAsync = prefersAsync(headers.prefer?.toString());
    const of = { workspace, caller, network: deps.network, respondAsync };
    const orders = items.map((each) =>
      'item' in each
        ? toOrder(each.item, of)
        : new Refusal(each.refused.code, each.refused.message),
    );
    const faults = new Faults();
    const item = { ...call, whenAnswered: shareWhenAnswered(call) };
    let unrecorded = 0;
    const replies = await proveEach(
      orders,
      (order) => beginProof(deps, item, order),
      (error) => {
        if (error instanceof LedgerAway) unrecorded += 1;
        return replyToError(error) ?? faults.add(error);
      },
    );
    // Counted first and given back, since batches side by side could otherwise exceed the limit.
    await giveBackItems(unrecorded);
    faults.log(deps.log, requestId);
    const answer = { success: true, data: replies.map(resultOf) };
    if (!respondAsync) return { status: 200, body: answer };
    return { status: 202, headers: { 'Preference-Applied': 'respond-async' }, body: answer };
  },
});

function resultOf({ status, headers, body }: Reply): object {
  const wait = headers?.['Retry-After'];
  return { status, ...(wait !== undefined && { retryAfterSeconds: Number(wait) }), body };
}

/** One listener of the answer for all items: each of a thousand would be one of the response's. */
function shareWhenAnswered({
  whenAnswered,
}: Pick<KeyedCall<unknown, unknown, unknown>, 'whenAnswered'>): typeof whenAnswered {
  const listeners: ((isSuccess: boolean) => void)[] = [];
  let outcome: boolean | null = null;
  whenAnswered((isSuccess) => {
    outcome = isSuccess;
    for (const listener of listeners) listener(isSuccess);
  });
  return (listener) => {
    if (outcome === null) listeners.push(listener);
    else listener(outcome);
  };
}

/** Faults of single items. One line of the log tells of all of them, with the first cause. */
class Faults {
  #first: unknown;
  #items = 0;

  add(error: unknown): Reply {
    if (this.#items === 0) this.#first = error;
    this.#items += 1;
    return faultReply();
  }

  log(log: Logger, requestId: string): void {
    if (this.#items === 0) return;
    const err = loggable(this.#first);
    log.error({ requestId, err, items: this.#items }, 'unexpected error in items of a batch');
  }
}
