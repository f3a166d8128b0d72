import type { KeyAccess } from '../../../projections/access/query.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import type { Reply } from '../reply.ts';
import type { RouteDeps } from '../route-deps.ts';

/** A call of an offloaded route. */
export interface OffloadedCall<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly requestId: string;
  readonly caller: KeyAccess;
  /** As in `KeyedCall`. The call begins anew once the cost is paid, so raise it before any other work. */
  readonly weigh: (cost: number) => Promise<void>;
}

/** The same with the route's name and the unparsed body. Its members can be sent to another thread. */
export interface CallOrder
  extends Omit<OffloadedCall<unknown, unknown, unknown>, 'body' | 'weigh'> {
  readonly operationId: string;
  /** Requests that the call may cost; Rejected with `CostsMore` if it costs more. */
  readonly paid: number;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly publicUrl: string;
}

/** A large body, to be parsed by the schema of its route. */
export interface BodyOrder {
  readonly operationId: string;
  readonly organisationId: OrganisationId;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Dependencies of offloaded routes. A worker thread can create all of them. */
export type OffloadedDeps = Pick<
  RouteDeps,
  'db' | 'store' | 'ledgers' | 'publicUrl' | 'answerWaitMs'
> & {
  readonly webhooks: Pick<RouteDeps['webhooks'], 'list'>;
};

/**
 * Runs expensive work apart from the shared event loop and connection pool; organisations take turns.
 * Large bodies are transferred: their bytes are gone afterwards. Rejects with `Transient` if the work
 * cannot be done now.
 */
export interface Offload {
  /** Handles a call; rejects as its route does, and with `CostsMore`. A small call may be handled twice. */
  handle(order: CallOrder): Promise<Reply>;
  /** Parses a body. The result is small, whatever the size of the body. Rejects as `parseBody` does. */
  parse(order: BodyOrder): Promise<unknown>;
}
