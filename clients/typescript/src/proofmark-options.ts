import type { Fetch } from './calls/api.ts';
import type { Wait } from './calls/wait.ts';

export interface ProofmarkOptions {
  /** Address of the service, such as `https://proofs.example.org`. */
  readonly server: string;
  /** `svc_live_…`; calls without a key need none. */
  readonly apiKey?: string;
  /** Id of the workspace of calls that name none; by default the organisation's only one. */
  readonly workspace?: string;
  /** A `fetch` of your own, such as one with a proxy. */
  readonly fetch?: Fetch;
  /** Longest time until an answer begins, and longest pause within it; by default 90 seconds. */
  readonly timeoutMs?: number;
  /** Most attempts of one call; by default 6. */
  readonly maxAttempts?: number;
  /** Longest wait between two attempts, in milliseconds; by default two minutes. */
  readonly maxWaitMs?: number;
  /** Waits; a test may count the time instead. */
  readonly wait?: Wait;
}
