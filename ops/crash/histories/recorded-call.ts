/** One call of a client and its answer, as the client saw them. Times are Unix milliseconds. */
export interface RecordedCall {
  readonly id: number;
  /** Client that makes one call after the other. */
  readonly session: string;
  readonly organisationId: string;
  readonly invokedAt: number;
  readonly answeredAt: number;
  readonly request: ClientRequest;
  readonly answer: ClientAnswer;
}

export type ProofStatus = 'pending' | 'processing' | 'completed';

export interface PostRequest {
  readonly kind: 'post';
  readonly workspace: string;
  readonly hash: string;
}

export interface GetRequest {
  readonly kind: 'get';
  readonly proofId: string;
}

/** One page of a list. `walk` names the listing that the page is a part of. */
export interface ListRequest {
  readonly kind: 'list';
  readonly page: number;
  readonly limit: number;
  readonly workspace: string | null;
  readonly status: ProofStatus | null;
  readonly search: string | null;
  readonly walk: string | null;
}

export type ClientRequest = PostRequest | GetRequest | ListRequest;

/** `nothing`: no answer, or one that says nothing about proofs, such as 503. */
export type ClientAnswer =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string | null;
      /** Proof that a refusal names. */
      readonly proofId: string | null;
    }
  | { readonly kind: 'proof'; readonly status: number; readonly proof: ShownProof }
  | { readonly kind: 'page'; readonly items: readonly ShownProof[]; readonly total: number };

/** Members of a proof in an answer that are compared with the log; an answer has some of them. */
export const comparedFields = [
  'blockchainStatus',
  'txHash',
  'ledgerIndex',
  'timestamp',
  'requestedAt',
  'hashScheme',
  'proofCommitment',
  'fileName',
  'fileHash',
  'workspace',
] as const;

export type ComparedField = (typeof comparedFields)[number];

/** A proof in an answer. */
export type ShownProof = Readonly<Partial<Record<ComparedField, string | number | null>>> & {
  readonly proofId: string;
  readonly evidence?: string;
};
