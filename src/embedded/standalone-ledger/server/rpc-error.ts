import type { JsonObject } from '../codec/json.ts';

/** Error tokens with codes and messages (rippled: ErrorCodes.cpp); null has neither. */
const errors = {
  slowDown: [10, 'You are placing too much load on the server.'],
  amendmentBlocked: [14, 'Amendment blocked, need upgrade.'],
  wrongNetwork: [4, 'Wrong network.'],
  actNotFound: [19, 'Account not found.'],
  lgrNotFound: [21, 'ledgerNotFound'],
  txnNotFound: [29, 'Transaction not found.'],
  invalidParams: [31, 'Invalid parameters.'],
  unknownCmd: [32, 'Unknown method.'],
  actMalformed: [35, 'Account malformed.'],
  lgrIdxsInvalid: [57, 'Ledger indexes invalid.'],
  lgrIdxMalformed: [58, 'Ledger index malformed.'],
  malformedStream: [71, 'Stream malformed.'],
  internal: [73, 'Internal error.'],
  notImpl: [74, 'Not implemented.'],
  notSupported: [75, 'Signing is not supported by this server.'],
  excessiveLgrRange: [78, 'Ledger range exceeds 1000.'],
  invalidLgrRange: [79, 'Ledger range is invalid.'],
  invalidTransaction: null,
  missingCommand: null,
  invalid_API_version: null,
} as const satisfies Readonly<Record<string, readonly [number, string] | null>>;

type ErrorToken = keyof typeof errors;

/** Makes a request be answered with `status: "error"`. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly token: ErrorToken;
  /** Further fields of the answer. */
  readonly extra: JsonObject;

  constructor(token: ErrorToken, options: { message?: string; extra?: JsonObject } = {}) {
    super(options.message ?? errors[token]?.[1] ?? token);
    this.token = token;
    this.extra = options.extra ?? {};
  }

  /** The fields of the answer that describe the error. */
  fields(): JsonObject {
    const known = errors[this.token];
    return {
      error: this.token,
      ...(known === null ? {} : { error_code: known[0], error_message: this.message }),
      ...this.extra,
    };
  }
}

export function invalidParams(message: string): RpcError {
  return new RpcError('invalidParams', { message });
}
