import type { Network } from '../../../../src/domain/network.ts';

/** Steps from a post to its anchor, each of which can fail. */
export const steps = [
  'append of the request',
  'append of the join',
  'append of the intent',
  'append of the outcome',
  'append of the end of the wait',
  'read of the log',
  'signature',
  'submit',
  'read of a ledger',
  'read of the account',
  'look-up',
  'lock',
  'save of the checkpoint',
  'submission mark',
] as const;
export type Step = (typeof steps)[number];

/** Possible faults of any step. */
export const stepFaults = [
  'is not done',
  'is done but reported failed',
  'is done after it was reported failed',
  'is answered only much later',
  'never gets an answer',
  'is the last thing that the process prepares before it is killed',
  'is the last thing that the process does before it is killed',
  'finds the process frozen before it and replaced',
  'leaves the process frozen after it and replaced',
  'comes as the connections to the servers are closed',
  'comes just after somebody else used our Sequence',
] as const;
export type StepFault = (typeof stepFaults)[number];

/** The fault hits the `nth` time (from 0) that any process takes the step. */
export interface PlannedFault {
  readonly step: Step;
  readonly nth: number;
  readonly fault: StepFault;
}

/** Events around the processes. Times are in ms, `server` and `process` are indexes. */
export type WorldEvent =
  | { readonly kind: 'connections closed with 1008'; readonly server: number }
  | { readonly kind: 'server silent'; readonly server: number; readonly forMs: number }
  | { readonly kind: 'server slowed down'; readonly server: number; readonly count: number }
  | {
      readonly kind: 'server lags';
      readonly server: number;
      readonly ledgers: number;
      readonly forMs: number;
    }
  | {
      readonly kind: 'server forgets history';
      readonly server: number;
      readonly ledgers: number;
      readonly forMs: number;
    }
  | {
      readonly kind: 'server shows another ledger';
      readonly server: number;
      readonly forMs: number;
    }
  | { readonly kind: 'ledgers that no process saw are forgotten'; readonly forMs: number }
  | { readonly kind: 'ledger halted'; readonly forMs: number }
  | { readonly kind: 'ledger reset'; readonly settledAfterMs: number }
  | { readonly kind: 'load factor 1,000'; readonly forMs: number }
  | { readonly kind: 'others fill every ledger'; readonly forMs: number }
  | { readonly kind: 'fees rise'; readonly factor: number; readonly forMs: number }
  | { readonly kind: 'queue full'; readonly forMs: number }
  | { readonly kind: 'somebody else uses our Sequence'; readonly account: number }
  | { readonly kind: 'transactions end with a tec'; readonly count: number }
  | { readonly kind: 'accepted transactions vanish'; readonly count: number }
  | { readonly kind: 'database away'; readonly forMs: number }
  /** A failover to an asynchronous standby, or a restore: every connection ends. */
  | { readonly kind: 'database loses its newest events'; readonly count: number }
  | { readonly kind: 'clock jumps'; readonly byMs: number }
  | { readonly kind: 'process killed'; readonly process: number; readonly forMs: number }
  | { readonly kind: 'process frozen'; readonly process: number; readonly forMs: number }
  /** Pages of the log reach the process only at the end; its other reads are not delayed. */
  | {
      readonly kind: 'process follows the log late';
      readonly process: number;
      readonly forMs: number;
    }
  | { readonly kind: 'locks lost'; readonly process: number }
  | { readonly kind: 'API killed'; readonly forMs: number }
  /** `proof` is an index into the waiting queued proofs. */
  | { readonly kind: 'an operator gives up'; readonly proof: number };

/** One history of posts and faults. The seed decides everything else. */
export interface Scenario {
  readonly seed: number;
  readonly network: Network;
  readonly processes: number;
  readonly servers: number;
  readonly accounts: number;
  /**
   * Number of processes that can sign with every account. The others can sign only with the first.
   */
  readonly fullSigners: number;
  readonly closeMs: number;
  readonly waitMs: number;
  /** Maximum delay before an effect, and again before its answer. */
  readonly latencyMs: number;
  readonly posts: readonly Post[];
  readonly uploads: readonly UploadPost[];
  /** Documents per month, or null for unlimited. */
  readonly allowance: number | null;
  readonly planned: readonly PlannedFault[];
  readonly events: readonly (WorldEvent & { readonly atMs: number })[];
}

/** Post of a file's hash. Posts of the same `file` have the same hash. */
export interface Post {
  readonly atMs: number;
  readonly file: number;
  readonly queued: boolean;
  /**
   * Number of repeated posts after an answer other than success. `pauseMs` is the delay between
   * them.
   */
  readonly again: number;
  readonly pauseMs: number;
}

/**
 * Upload of a file: first as a document of its own, then as its revisions. The same `file` has the
 * same bytes, whose hash may be posted as well.
 */
export interface UploadPost {
  readonly atMs: number;
  readonly document: number;
  readonly file: number;
  readonly again: number;
  readonly pauseMs: number;
}
