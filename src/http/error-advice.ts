import { defaultMaxKeys } from '../domain/organisation/organisation-limits.ts';
import type { ErrorCode } from './errors.ts';

/** What a caller should know of a code. */
export interface ErrorAdvice {
  readonly meaning: string;
  /** Whether, and when, the same call is worth sending again. */
  readonly retry: string;
  /** A message as it may come; messages may be reworded, codes are not. */
  readonly message: string;
}

const never = 'no';

/** Of every code: the OpenAPI document and the quickstart tell it to callers. */
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
    meaning: 'The classification is no JSON object as it must be, or the key is none of an agent.',
    retry: never,
    message: 'agentClassification: must be one JSON object',
  },
  INVALID_REQUEST: {
    meaning: 'Something else of the call is missing or malformed; the message names it.',
    retry: never,
    message: 'limit: must be a whole number from 1 to 100',
  },
  INVALID_JSON: {
    meaning: 'The body is empty, no UTF-8 or no JSON.',
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
    meaning: 'The key lacks the scope. An agent must not ask for it to be widened.',
    retry: never,
    message: 'the key lacks the scope documents:write',
  },
  API_ACCESS_DISABLED: {
    meaning: "The organisation's plan has no API access, or it is switched off.",
    retry: never,
    message: 'the organisation has no API access',
  },
  COMPANY_SUSPENDED: {
    meaning: 'The organisation is suspended.',
    retry: never,
    message: 'the organisation is suspended',
  },
  ENTITLEMENT_EXCEEDED: {
    meaning:
      "The month's upload allowance is used up; usage says how many there are. Stop uploading.",
    retry: never,
    message: 'the upload allowance of this month is used up',
  },
  PROOF_NOT_FOUND: {
    meaning: "There is no such proof or document, or it is another organisation's.",
    retry: never,
    message: 'there is no such proof in this organisation',
  },
  TRANSACTION_NOT_FOUND: {
    meaning: 'No supported ledger has this transaction validated.',
    retry: never,
    message: 'no supported ledger has this transaction',
  },
  ORGANISATION_NOT_FOUND: {
    meaning: 'There is no such organisation.',
    retry: never,
    message: 'there is no such organisation',
  },
  API_KEY_NOT_FOUND: {
    meaning: "There is no such key, or it is another organisation's.",
    retry: never,
    message: 'there is no API key 01M7XT9M1N2P3Q4R5S6T7V8W9X',
  },
  RUN_NOT_FOUND: {
    meaning: "There is no such run, or it is another organisation's.",
    retry: never,
    message: 'there is no such run in this organisation',
  },
  WEBHOOK_NOT_FOUND: {
    meaning: "There is no such endpoint or delivery, or it is another organisation's.",
    retry: never,
    message: 'there is no such webhook endpoint',
  },
  NOT_FOUND: {
    meaning: 'There is nothing at this path.',
    retry: never,
    message: 'there is nothing at this path',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path has other methods; the header Allow names them.',
    retry: never,
    message: 'this path allows GET, HEAD, OPTIONS',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The request came in too slowly.',
    retry: 'once, over a better connection',
    message: 'the request took too long to arrive',
  },
  PROOF_NOT_ANCHORED: {
    meaning: 'The proof is not completed yet, so there is no certificate.',
    retry: 'when the proof is completed',
    message: 'the proof is not completed yet',
  },
  CHECKPOINT_PENDING: {
    meaning: 'The log has the anchoring, but no checkpoint that is published covers it yet.',
    retry: 'after a few seconds',
    message: 'no checkpoint of the log covers this proof yet; one is published every few seconds',
  },
  RUN_CONFLICT: {
    meaning: 'A run of this id is on record with other content.',
    retry: never,
    message: 'runId: a run with this id is on record with other content',
  },
  WEBHOOK_DISABLED: {
    meaning: 'Nothing is sent to a disabled endpoint: enable it first.',
    retry: 'when the endpoint is enabled',
    message: 'the endpoint is disabled: enable it first, with PATCH and status active',
  },
  API_KEY_LIMIT_REACHED: {
    meaning:
      'The organisation has reached its maximum number of API keys that are neither revoked nor ' +
      `expired: by default ${defaultMaxKeys}. Revoke one first.`,
    retry: 'when a key was revoked or has expired',
    message:
      'the organisation has 100 API keys that are neither revoked nor expired, and may have no more; revoke one first',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body, or the file in it, is too large.',
    retry: never,
    message: 'the body is larger than 1048576 bytes',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is of a type, or in an encoding, that is not taken.',
    retry: never,
    message: 'Content-Type must be application/json in UTF-8',
  },
  FILE_BYTES_NOT_VERIFIED: {
    meaning: 'The bytes are not what the name of the file claims. Renaming does not help.',
    retry: never,
    message: 'file: the bytes are not those of a .pdf file',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning:
      'A limit of the key, of its organisation or of the address is used up or too low for the cost of this call, ' +
      'or the organisation has too many calls or bytes under way at once.',
    retry: 'yes, once, after Retry-After seconds',
    message: 'too many requests; try again in 17 s',
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    meaning: 'The head of the request is too large.',
    retry: never,
    message: 'the headers are too large',
  },
  INTERNAL_ERROR: {
    meaning: 'Our fault; quote X-Request-Id when reporting it.',
    retry: 'once, if the call is idempotent',
    message: 'the service failed; quote X-Request-Id when reporting this',
  },
  XRPL_ERROR: {
    meaning: 'The ledger did not take it, or did not answer; nothing of the call is kept.',
    retry: 'yes',
    message: 'the proof could not be anchored and was rolled back; the hash can be posted again',
  },
  PROOF_NOT_RECORDED: {
    meaning: 'The ledger has not confirmed it yet; it stays queued and is settled without you.',
    retry: 'no; ask again on a later run, with the same hash or bytes',
    message:
      'the ledger has not confirmed the proof yet; it stays queued, post the hash again later',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'A part of the service is unreachable, catching up, or overloaded.',
    retry: 'yes, after Retry-After seconds, if the call is idempotent',
    message: 'the service is catching up; try again shortly',
  },
  FILE_VERIFICATION_UNAVAILABLE: {
    meaning: 'The bytes of the file could not be checked; nothing is kept.',
    retry: 'yes, after Retry-After seconds',
    message: 'the bytes of the file cannot be checked now; try again shortly',
  },
};
