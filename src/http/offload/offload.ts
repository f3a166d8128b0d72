import type { KeyAccess } from '../../../projections/access/query.ts';
import type { Network } from '../../domain/network.ts';
import type { OrganisationId } from '../../domain/ulid.ts';
import type { EventMeta } from '../../event-store/stored-event.ts';
import type { Reply } from '../reply.ts';

/** A call of an offloaded route. */
export interface OffloadedCall<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly requestId: string;
  readonly caller: KeyAccess;
  /** Meta of the events that the call appends. */
  readonly meta: EventMeta;
  /**
   * As in `KeyedCall`. The call starts again once the cost is paid, so raise it before any other
   * work.
   */
  readonly weigh: (cost: number) => Promise<void>;
}

/**
 * An offloaded call with the route's name and the unparsed body. All members can be sent to another
 * thread.
 */
export interface CallOrder
  extends Omit<OffloadedCall<unknown, unknown, unknown>, 'body' | 'weigh'> {
  readonly operationId: string;
  /**
   * Number of requests already counted for the call. A higher cost is rejected with `CostsMore`.
   */
  readonly paid: number;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  readonly publicUrl: string;
  /** Network for new proofs. */
  readonly network: Network;
}

/** A large body, to be parsed by the schema of its route. */
export interface BodyOrder {
  readonly operationId: string;
  readonly organisationId: OrganisationId;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Runs expensive work apart from the shared event loop and connection pool; organisations take
 * turns. Large bodies are transferred: the sender loses their bytes. Rejects with `Unavailable` if
 * the work cannot be done now.
 */
export interface Offload {
  /**
   * Handles a call. Rejects as its route does, and with `CostsMore`. A small call may be handled
   * twice.
   */
  handle(order: CallOrder): Promise<Reply>;
  /**
   * Parses a body. The result is small, except for a batch of hashes. Rejects as `parseBody` does.
   */
  parse(order: BodyOrder): Promise<unknown>;
}
