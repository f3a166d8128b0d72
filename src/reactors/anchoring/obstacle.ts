/** Why nothing is signed though nothing failed. */
export type Obstacle =
  | 'ledgerBehind'
  | 'notCompared'
  | 'feeAboveLimit'
  | 'noAccount'
  | 'noFundedAccount'
  | 'keyNotAuthorised'
  | 'undecidedTransaction';
