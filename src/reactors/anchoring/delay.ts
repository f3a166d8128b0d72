/** Reason that proofs are anchored more slowly although anchoring is not paused. */
export type Delay = 'queuedAtMaxFee' | 'submissionLimit';

/** The present reasons are true. */
export type Delays = Readonly<Record<Delay, boolean>>;
