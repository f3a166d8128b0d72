/** Reason that nothing is signed although nothing failed. */
export type Obstacle =
  | 'ledgerBehind'
  | 'notCompared'
  | 'feeAboveLimit'
  | 'noAccount'
  | 'noFundedAccount'
  | 'keyNotAuthorised'
  | 'signerUnavailable'
  | 'undecidedTransaction';
