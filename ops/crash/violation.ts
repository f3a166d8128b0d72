/** A broken guarantee, with its evidence. */
export interface Violation {
  readonly kind:
    | 'lost'
    | 'doubleAnchored'
    | 'completedButNotOnLedger'
    | 'rolledBackButOnLedger'
    | 'absentButOnLedger'
    | 'unsettled'
    | 'notQueued'
    | 'contradiction'
    | 'nonceLost'
    | 'foreignTransaction'
    | 'anotherMemo'
    | 'sequenceGap'
    | 'sequenceTakenTwice'
    | 'sequenceNotTaken'
    | 'notAttested'
    | 'falselyAttested'
    | 'unexpectedAnswer';
  readonly detail: object;
}

export function violation(kind: Violation['kind'], detail: object): Violation {
  return { kind, detail };
}
