/** Reason that proofs are anchored more slowly although anchoring is not paused. */
export type Delay = 'queuedAtMaxFee' | 'submissionLimit';

/** True for each present reason. */
export type Delays = Readonly<Record<Delay, boolean>>;

export const noDelays: Delays = { queuedAtMaxFee: false, submissionLimit: false };
