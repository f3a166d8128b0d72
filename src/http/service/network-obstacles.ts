import type { LedgerGateway, LedgerServer } from '../../ledger/contract.ts';

/** A configured network, as this process reads it and anchors on it. */
export interface AnchoringNetwork {
  readonly gateway: Pick<LedgerGateway, 'name' | 'current' | 'servers'>;
  /** Reason for a pause of the network's anchoring; null if there is none, or no anchoring here. */
  readonly paused: () => Pause | null;
  /** Why proofs wait while anchoring is not paused: true for each present reason. Empty if this process does not anchor. */
  readonly delays: () => Readonly<Partial<Record<Delay, boolean>>>;
}

/** Public texts for pauses. Error messages are not shown, since they may contain secrets. */
const pauses = {
  feeAboveLimit: 'the ledger asks for a higher fee than MAX_FEE_DROPS',
  noAccount: 'every configured anchoring account is retired',
  noFundedAccount: 'no anchoring account is funded',
  keyNotAuthorised: 'the ledger does not accept the configured key of the anchoring account',
  signerUnavailable: 'the signer of the anchoring account does not answer, or refuses',
  undecidedTransaction:
    'no server shows the outcome of a transaction; add a server with full history',
  ledgerBehind: 'the servers are behind the newest known ledger',
  notCompared:
    'the log is not yet compared with its last checkpoint, on the ledger or in the storage',
  otherLedger: 'a server shows a different ledger than the known one',
  unrecognised: 'no server shows the ledger by which the known one is recognised',
  storageAway: 'the storage takes no submission mark',
  storageFull: 'the storage has no space left for a submission mark',
  trouble: 'failing; retrying',
} as const;

type Pause = keyof typeof pauses;

/** Public texts for delays. */
const delayTexts = {
  queuedAtMaxFee:
    'slow; the open ledger asks for a higher fee than MAX_FEE_DROPS, and transactions wait in the queue of the servers',
  submissionLimit: 'slow; transactions wait for the limits that the servers set for submissions',
} as const;

type Delay = keyof typeof delayTexts;
const delays = Object.keys(delayTexts) as readonly Delay[];

/**
 * Names the obstacles to anchoring on a network, for `GET /readyz`: a disconnected ledger, paused
 * anchoring. `anchoring` is the name of the network's anchoring. Empty if there is no obstacle.
 */
export function networkObstacles(
  { gateway, paused }: Pick<AnchoringNetwork, 'gateway' | 'paused'>,
  anchoring: string,
): readonly string[] {
  const pause = paused();
  const isConnected = gateway.current().connected;
  return [
    ...(isConnected
      ? []
      : [`ledger ${gateway.name()}: not connected${blockedAmong(gateway.servers())}`]),
    ...(pause === null ? [] : [`${anchoring}: ${pauses[pause]}`]),
  ];
}

/** Names the reasons that proofs on a network wait, for `degraded` of `GET /readyz`. */
export function networkDelays(
  { delays: present }: Pick<AnchoringNetwork, 'delays'>,
  anchoring: string,
): readonly string[] {
  const now = present();
  return delays.filter((delay) => now[delay]).map((delay) => `${anchoring}: ${delayTexts[delay]}`);
}

/** Counts the servers that only an upgrade brings back; empty if there is none. */
function blockedAmong(servers: readonly LedgerServer[]): string {
  const blocked = servers.filter(({ amendmentBlocked }) => amendmentBlocked).length;
  if (blocked === 0) return '';
  return `; amendment blocked until upgraded: ${blocked} of ${servers.length} server(s)`;
}
