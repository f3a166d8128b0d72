import type { LocalChecks } from '../chain/check-locally.ts';
import type { LedgerNode } from '../chain/ledger-node.ts';
import type { JsonObject } from '../codec/json.ts';
import type { Validators } from '../validators/validators.ts';
import type { Request } from './request.ts';
import type { ServerIdentity } from './server-identity.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Dependencies of a command: the node, and the client's session. */
export interface CommandContext {
  readonly node: LedgerNode;
  readonly checks: LocalChecks;
  readonly server: ServerIdentity;
  readonly validators: Validators;
  readonly subscriptions: Subscriptions;
  /** False for a client that is charged, like one at a port for strangers. */
  readonly isAdministrator: boolean;
}

/** Answers one request with its `result`. Throws RpcError to answer with an error. */
export type Command = (context: CommandContext, request: Request) => JsonObject;
