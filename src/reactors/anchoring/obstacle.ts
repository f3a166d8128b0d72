/** Why nothing is signed though nothing failed. */
export type Obstacle =
  | 'ledgerBehind'
  | 'feeAboveLimit'
  | 'noAccount'
  | 'noFundedAccount'
  | 'keyNotAuthorised'
  | 'undecidedTransaction';
