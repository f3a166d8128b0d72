/** Reasons to refuse a call, through the fault or the standing of its caller. */
export type RefusalCode =
  | 'INVALID_HASH'
  | 'INVALID_WORKSPACE'
  | 'INVALID_PROOF_ID'
  | 'INVALID_TX_HASH'
  | 'INVALID_CLASSIFICATION'
  | 'INVALID_REQUEST'
  | 'INVALID_JSON'
  | 'INVALID_API_KEY'
  | 'SCOPE_NOT_PERMITTED'
  | 'API_ACCESS_DISABLED'
  | 'COMPANY_SUSPENDED'
  | 'ENTITLEMENT_EXCEEDED'
  | 'FILE_BYTES_NOT_VERIFIED'
  | 'PROOF_NOT_FOUND'
  | 'PROOF_NOT_ANCHORED'
  | 'PROOF_NOT_ATTESTED'
  | 'XPOP_NOT_POSSIBLE'
  | 'CHECKPOINT_PENDING'
  | 'TIMESTAMP_PENDING'
  | 'TRANSACTION_NOT_FOUND'
  | 'ORGANISATION_NOT_FOUND'
  | 'API_KEY_NOT_FOUND'
  | 'API_KEY_LIMIT_REACHED'
  | 'RUN_NOT_FOUND'
  | 'RUN_CONFLICT'
  | 'LINK_NOT_FOUND'
  | 'CERTIFICATE_NOT_FOUND'
  | 'LINK_LIMIT_REACHED'
  | 'NO_LONGER_SHARED'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOK_DISABLED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'XRPL_ERROR'
  | 'PROOF_NOT_RECORDED'
  | 'SERVICE_UNAVAILABLE';

/** Refusal of a call. `code` is for programs, `message` for the person who must act. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Refusal';
    this.code = code;
  }
}
