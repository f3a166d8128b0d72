import { BehaviorSubject } from 'rxjs';
import type { Network } from '../../src/domain/network.ts';
import type { LedgerGateway, LedgerStatus, TransactionLookup } from '../../src/ledger/contract.ts';

export interface ScriptedGateway extends LedgerGateway {
  readonly status: BehaviorSubject<LedgerStatus>;
  /** Results of transaction look-ups by hash; by default absent, with everything searched. */
  readonly answers: Map<string, TransactionLookup | 'unavailable' | 'silent'>;
}

export const connected = {
  connected: true,
  networkId: 1,
  epoch: '1',
  standalone: false,
  outruns: false,
  tip: { index: 1_000, hash: 'A'.repeat(64), closeTime: 817_000_000 },
  baseFeeDrops: 10,
  openLedgerFeeDrops: 10,
  queueFeeDrops: 10,
  expectedLedgerSize: 1_000,
  reserve: { baseDrops: 1_000_000, perObjectDrops: 200_000 },
} satisfies LedgerStatus;

/** A gateway to a network with scripted look-ups and no other function. */
export function createScriptedGateway(network: Network): ScriptedGateway {
  const status = new BehaviorSubject<LedgerStatus>(connected);
  const answers: ScriptedGateway['answers'] = new Map();
  let isStandalone = false;
  status.subscribe((next) => {
    if (next.connected) isStandalone = next.standalone;
  });
  const unused = async () => {
    throw new Error('not scripted');
  };
  return {
    network,
    name: () => (isStandalone ? 'standalone' : network),
    status,
    answers,
    current: () => status.value,
    servers: () => [],
    async lookUp(hash) {
      const answer = answers.get(hash) ?? { found: 'absent', searchedAll: true };
      if (answer === 'silent') return new Promise(() => {});
      if (answer === 'unavailable') throw new Error('no server answered');
      return answer;
    },
    ledger: unused,
    ledgers: unused,
    shown: async () => null,
    shownBefore: async () => null,
    account: unused,
    sent: unused,
    submit: unused,
    submissionsWithin: () => Number.POSITIVE_INFINITY,
    submissionsWaiting: () => 0,
    close: async () => {},
  };
}
