import { defaultMaxKeys } from '../../domain/organisation/organisation-limits.ts';
import type { ErrorCode } from './error-code.ts';

/** Advice to callers about an error code. */
interface ErrorAdvice {
  readonly meaning: string;
  /** Advice about sending the same call again. */
  readonly retry: string;
  /** Example message. Messages may be reworded, codes are not. */
  readonly message: string;
}

const never = 'no';

/** Advice about every code, published in the OpenAPI document and in the quickstart. */
export const errorAdvice: Readonly<Record<ErrorCode, ErrorAdvice>> = {
  INVALID_HASH: {
    meaning: 'The hash is missing or malformed.',
    retry: never,
    message: 'hash: must be the SHA-256 of the file: 64 lower-case hexadecimal characters',
  },
  INVALID_WORKSPACE: {
    meaning: "The workspace is missing, malformed, unknown or another organisation's.",
    retry: never,
    message: 'workspace: is missing',
  },
  INVALID_PROOF_ID: {
    meaning: 'The proof id is malformed.',
    retry: never,
    message: 'proofId: must be a proof id',
  },
  INVALID_TX_HASH: {
    meaning: 'The transaction hash is malformed.',
    retry: never,
    message: 'txHash: must be 64 hexadecimal characters',
  },
  INVALID_CLASSIFICATION: {
    meaning: 'The classification is malformed, or the key is not an agent key.',
    retry: never,
    message: 'agentClassification: must be one JSON object',
  },
  INVALID_REQUEST: {
    meaning: 'Another field, parameter or header is missing or malformed; the message names it.',
    retry: never,
    message: 'limit: must be a whole number from 1 to 100',
  },
  INVALID_JSON: {
    meaning: 'The body is empty, not UTF-8 or not JSON.',
    retry: never,
    message: 'the body is not valid JSON',
  },
  INVALID_API_KEY: {
    meaning: 'The key is missing, malformed, unknown, revoked or expired.',
    retry: never,
    message:
      'the API key is missing, malformed, unknown, revoked or expired; send Authorization: Bearer KEY',
  },
  SCOPE_NOT_PERMITTED: {
    meaning:
      'The key lacks the scope that the call requires. An agent must not ask for more scopes.',
    retry: never,
    message: 'the API key lacks the scope documents:write, which this call requires',
  },
  API_ACCESS_DISABLED: {
    meaning: "The organisation's plan does not include API access, or API access is switched off.",
    retry: never,
    message:
      'the plan of the organisation does not include API access, or API access is switched off',
  },
  COMPANY_SUSPENDED: {
    meaning: 'The organisation is suspended. Contact the operator of the service.',
    retry: never,
    message: 'the organisation is suspended; contact the operator of the service',
  },
  ENTITLEMENT_EXCEEDED: {
    meaning:
      'The upload allowance of this month or the storage allowance of the organisation is used up; ' +
      'usage states the numbers. Stop uploading.',
    retry: never,
    message: 'the upload allowance of this month is used up',
  },
  PROOF_NOT_FOUND: {
    meaning: 'The organisation has no such proof or document.',
    retry: never,
    message: 'there is no such proof in this organisation',
  },
  TRANSACTION_NOT_FOUND: {
    meaning: 'No supported ledger has validated this transaction.',
    retry: never,
    message: 'no supported ledger has validated this transaction',
  },
  ORGANISATION_NOT_FOUND: {
    meaning: 'There is no such organisation.',
    retry: never,
    message: 'there is no such organisation',
  },
  API_KEY_NOT_FOUND: {
    meaning: 'The organisation has no such API key.',
    retry: never,
    message: 'there is no API key 01M7XT9M1N2P3Q4R5S6T7V8W9X',
  },
  RUN_NOT_FOUND: {
    meaning: 'The organisation has no such agent run.',
    retry: never,
    message: 'there is no such run in this organisation',
  },
  LINK_NOT_FOUND: {
    meaning: 'The proof has no such link, or it was withdrawn.',
    retry: never,
    message: 'the proof has no such link',
  },
  CERTIFICATE_NOT_FOUND: {
    meaning: 'The log has no certificate with this SHA-256.',
    retry: never,
    message: 'the log has no certificate with this SHA-256',
  },
  LINK_LIMIT_REACHED: {
    meaning: 'The proof has as many links as it may have. Withdraw one first.',
    retry: never,
    message: 'the proof has 20 links, the maximum; withdraw one first',
  },
  NO_LONGER_SHARED: {
    meaning: 'The link was withdrawn, has expired, or never existed.',
    retry: never,
    message: 'this proof is no longer shared, or the link is incomplete',
  },
  WEBHOOK_NOT_FOUND: {
    meaning: 'The organisation has no such webhook endpoint or delivery.',
    retry: never,
    message: 'there is no such webhook endpoint',
  },
  NOT_FOUND: {
    meaning: 'There is nothing at this path.',
    retry: never,
    message: 'there is nothing at this path',
  },
  METHOD_NOT_ALLOWED: {
    meaning:
      'The path does not support this method; the header Allow names the methods it supports.',
    retry: never,
    message: 'this path does not support the method; it allows GET, HEAD, OPTIONS',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The request took too long to arrive.',
    retry: 'once, over a faster connection',
    message: 'the request took too long to arrive',
  },
  PROOF_NOT_ANCHORED: {
    meaning: 'The proof is not completed yet, so there is no certificate.',
    retry: 'when the proof is completed',
    message: 'the proof is not completed yet; request the certificate when it is',
  },
  PROOF_NOT_ATTESTED: {
    meaning: "The signatures of the ledger's validators are not on record yet for this proof.",
    retry: 'after a few seconds',
    message:
      'the signatures of a quorum of validators are not on record for ledger 99123456 yet; try again ' +
      'in a few seconds, or use the proof bundle',
  },
  XPOP_NOT_POSSIBLE: {
    meaning:
      'The evidence of this proof has parts that XLS-41 cannot express. Use the proof bundle.',
    retry: never,
    message:
      'ledger 99123456 is proven by the validators of ledger 99123460 and the headers between them, ' +
      'which an XPOP cannot contain; use the proof bundle',
  },
  CHECKPOINT_PENDING: {
    meaning: 'The log records the anchoring, but no published checkpoint covers it yet.',
    retry: 'after a few seconds',
    message: 'no published checkpoint of the log covers this proof yet; try again in a few seconds',
  },
  TIMESTAMP_PENDING: {
    meaning:
      'No time-stamp token covers the anchoring yet. A token is requested about once an hour, if the operator has ' +
      'configured a time-stamping authority; otherwise there are none.',
    retry: 'after an hour',
    message:
      'no time-stamp token covers this proof yet; try again in an hour, if the operator has configured a ' +
      'time-stamping authority',
  },
  RUN_CONFLICT: {
    meaning: 'A run with this id is already recorded with other content.',
    retry: never,
    message:
      'runId: a run with this id is already recorded with other content; choose another runId',
  },
  WEBHOOK_DISABLED: {
    meaning:
      'The webhook endpoint is disabled, so nothing is sent to it. Enable the endpoint first.',
    retry: 'after the endpoint is enabled',
    message: 'the webhook endpoint is disabled; enable it first, with PATCH and "status": "active"',
  },
  API_KEY_LIMIT_REACHED: {
    meaning:
      'The organisation has reached its maximum number of API keys that are neither revoked nor ' +
      `expired: by default ${defaultMaxKeys}. Revoke one first.`,
    retry: 'after a key is revoked or has expired',
    message:
      'the organisation has 100 API keys that are neither revoked nor expired, and may have no more; revoke one first',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body, or the file in the body, is too large.',
    retry: never,
    message: 'the body is larger than 1048576 bytes',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The media type or the encoding of the body is not supported.',
    retry: never,
    message: 'Content-Type must be application/json in UTF-8',
  },
  FILE_BYTES_NOT_VERIFIED: {
    meaning:
      'The bytes of the file do not match the type that its name claims. Renaming does not help.',
    retry: never,
    message: 'file: the name claims a .pdf file, but the bytes are of an unknown type',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning:
      'A rate limit of the key, of the organisation or of the client address is used up or too low for ' +
      'the cost of this call, or too many calls or bytes of the organisation are in progress at once.',
    retry: 'yes, once, after Retry-After seconds',
    message: 'too many requests; try again in 17 s',
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    meaning: 'The headers of the request are too large.',
    retry: never,
    message: 'the headers of the request are too large',
  },
  INTERNAL_ERROR: {
    meaning: 'The service has failed. Quote X-Request-Id when you report the fault.',
    retry: 'once, if the call is idempotent',
    message: 'the service failed; quote X-Request-Id when reporting this',
  },
  XRPL_ERROR: {
    meaning:
      'The ledger rejected the transaction, did not answer, or is away. An attempt to anchor was rolled back.',
    retry: 'yes, after Retry-After seconds',
    message: 'the proof could not be anchored and was rolled back; post the hash again',
  },
  PROOF_NOT_RECORDED: {
    meaning:
      'The ledger has not confirmed the proof yet. The proof stays queued and is settled without ' +
      'another call. proofId names the proof, and documentId its stored document.',
    retry: 'not at once; ask for proofId, or post the same hash later',
    message:
      'the ledger has not confirmed the proof yet; the proof stays queued, so post the same hash later ' +
      'to get the result',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'A part of the service is unreachable, catching up, or overloaded.',
    retry: 'yes, after Retry-After seconds, if the call is idempotent',
    message: 'the service is catching up; try again shortly',
  },
  FILE_VERIFICATION_UNAVAILABLE: {
    meaning: 'The bytes of the file could not be checked. Nothing was stored or anchored.',
    retry: 'yes, after Retry-After seconds',
    message: 'the bytes of the file cannot be checked now; try again shortly',
  },
};
