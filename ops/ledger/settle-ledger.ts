import {
  confirmLedger,
  type KnownLedger,
  OtherLedger,
  UnrecognisedLedger,
} from '../../src/anchoring-state/ledger-identity.ts';
import { readAnchoring } from '../../src/anchoring-state/read-anchoring.ts';
import { declareLedgerGone } from '../../src/commands/declare-ledger-gone.ts';
import { recogniseLedger } from '../../src/commands/recognise-ledger.ts';
import { isCurrent } from '../../src/domain/ledger/close-time.ts';
import type { Network } from '../../src/domain/network.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import type { LedgerTip } from '../../src/ledger/contract.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import type { OperatorNetwork } from './ledger-gateways.ts';

/** Statement by the operator that no server can confirm. */
export interface OperatorStatement {
  /**
   * It is the same ledger, although no server has the history to show this, or although the newest
   * known ledger is not part of it: a server may have invented that one.
   */
  readonly same?: boolean;
  /** Id of the ledger that is gone. */
  readonly gone?: string;
}

export type Settlement =
  | { readonly ledgerId: string; readonly outcome: 'gone' }
  | { readonly ledgerId: string; readonly outcome: 'same'; readonly index: number };

/**
 * Determines whether the known ledger of a network still exists: by every configured server, or by
 * the operator's word if the servers cannot tell. Returns null if it is the known ledger.
 * Throws without a change while a server is unavailable or behind, or if one still shows the known
 * ledger beside another. Proofs on a ledger wrongly declared gone would be anchored again.
 */
export async function settleLedger(
  session: Pick<OperatorSession, 'store' | 'db' | 'meta' | 'now'>,
  { gateway }: OperatorNetwork,
  statement: OperatorStatement,
): Promise<Settlement | null> {
  const { network } = gateway;
  const { ledger } = await readAnchoring(session, network);
  if (ledger === null) return null;
  const status = gateway.current();
  const away = gateway.servers().filter(({ state }) => state !== 'ready');
  if (away.length > 0 || !status.connected) {
    const why = away.map(({ name, reason }) => `${name} (${reason})`).join(', ');
    throw new OperatorError(
      `nothing was settled, since not every configured server of ${network} answers: ${why}; ` +
        'wait until they do, or remove them from the configuration',
    );
  }
  const verdict = await verdictOn(gateway, ledger);
  if (verdict === 'same') return null;
  if (statement.same === true) {
    // While the servers are behind, only a ledger that closed just now shows that they do not lag.
    const isAccepted = ({ closeTime }: LedgerTip) =>
      verdict !== 'behind' || isCurrent(closeTime, session.now());
    if (isAccepted(status.tip)) return recogniseTip(session, gateway, ledger, isAccepted);
  }
  if (verdict === 'behind') throw new ServersBehind(gateway.network, status.tip, ledger);
  const isGone = verdict !== 'unrecognised' || statement.gone === ledger.ledgerId;
  if (isGone && network === 'mainnet') {
    throw new OperatorError(
      `mainnet is never reset: ${verdict}; if the servers are right, and the ledger on record is ` +
        `invented, confirm the present one with ${confirming}`,
    );
  }
  if (isGone) {
    await refuseIfShown(gateway, ledger);
    await declareLedgerGone(session.store, ledger.ledgerId, session.meta);
    return { ledgerId: ledger.ledgerId, outcome: 'gone' };
  }
  throw new UnrecognisedLedger(ledger);
}

const confirming = '`ops ledger settle --same`';

/** The servers are at a lower ledger than the known one. */
class ServersBehind extends OperatorError {
  constructor(network: Network, { index }: LedgerTip, { tip }: KnownLedger) {
    super(
      `nothing was settled, since the servers of ${network} are at ledger ${index}, behind ` +
        `ledger ${tip.index} seen before: wait until they have caught up, or, if ` +
        `${network} has no such ledger yet, confirm the present one with ${confirming}`,
    );
  }
}

/**
 * Records the servers' newest ledger as the newest known one, whatever was known before. `isAccepted`
 * judges the ledger as its header states it: a server may report any time.
 */
async function recogniseTip(
  { store, meta }: Pick<OperatorSession, 'store' | 'meta'>,
  gateway: OperatorNetwork['gateway'],
  ledger: KnownLedger,
  isAccepted: (tip: LedgerTip) => boolean,
): Promise<Settlement> {
  const { ledgerId } = ledger;
  await refuseIfShown(gateway, ledger);
  const status = gateway.current();
  const tip = status.connected ? await gateway.shown(status.tip) : null;
  if (tip === null) {
    throw new OperatorError(
      `nothing was settled, since no server of ${gateway.network} shows the newest ledger that it ` +
        'reports: try again, or correct the list of servers',
    );
  }
  if (!isAccepted(tip)) throw new ServersBehind(gateway.network, tip, ledger);
  await recogniseLedger(store, { ledgerId, ...tip }, meta);
  return { ledgerId, outcome: 'same', index: tip.index };
}

type Verdict = 'same' | 'behind' | 'unrecognised' | OtherLedger;

async function verdictOn(
  gateway: OperatorNetwork['gateway'],
  ledger: KnownLedger,
): Promise<Verdict> {
  const status = gateway.current();
  if (!status.connected) return 'behind';
  try {
    return (await confirmLedger(gateway, ledger, status.tip)) ? 'same' : 'behind';
  } catch (error) {
    if (error instanceof OtherLedger) return error;
    if (error instanceof UnrecognisedLedger) return 'unrecognised';
    throw error;
  }
}

async function refuseIfShown(
  gateway: OperatorNetwork['gateway'],
  { ledgerId, tip }: KnownLedger,
): Promise<void> {
  const status = gateway.current();
  if (!status.connected) return;
  // A server may have the ledger although all report a lower one.
  const isReached = status.tip.index >= tip.index;
  const shown = isReached
    ? await gateway.ledgers(tip.index)
    : [{ server: null, ledger: await gateway.ledger(tip.index, tip.hash) }];
  const having = shown.filter(({ ledger }) => ledger?.hash === tip.hash);
  if (having.length > 0) {
    const others = shown.filter(({ ledger }) => ledger !== null && ledger.hash !== tip.hash);
    throw new OperatorError(
      `a server still shows ${ledgerId}${named(having)} while another one shows a different ` +
        `ledger${named(others)}: remove the wrong server from the configuration`,
    );
  }
}

/** The known names of the servers, in brackets; empty if none is known. */
function named(shown: readonly { readonly server: string | null }[]): string {
  const names = new Set(shown.flatMap(({ server }) => server ?? []));
  return names.size === 0 ? '' : ` (${[...names].join(', ')})`;
}
