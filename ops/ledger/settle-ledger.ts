import { declareLedgerGone } from '../../src/commands/declare-ledger-gone.ts';
import { recogniseLedger } from '../../src/commands/recognise-ledger.ts';
import {
  confirmLedger,
  type KnownLedger,
  OtherLedger,
  UnrecognisedLedger,
} from '../../src/reactors/anchoring/ledger-identity.ts';
import { readAnchoring } from '../../src/reactors/anchoring/read-anchoring.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import type { OperatorNetwork } from './ledger-gateways.ts';

/** Statement by the operator that no server can confirm. */
export interface OperatorStatement {
  /** It is the same ledger, although no server has the history to show this. */
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
  session: OperatorSession,
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
    throw new Error(
      `nothing was settled, since not every configured server of ${network} answers: ${why}; ` +
        'wait until they do, or remove them from the configuration',
    );
  }
  const verdict = await verdictOn(gateway, ledger);
  if (verdict === 'behind') {
    throw new Error(
      `nothing was settled, since the servers of ${network} are at ledger ${status.tip.index}, behind ` +
        `ledger ${ledger.tip.index} seen before: wait until they have caught up`,
    );
  }
  if (verdict === 'same') return null;
  const isGone = verdict !== 'unrecognised' || statement.gone === ledger.ledgerId;
  if (isGone && network === 'mainnet') throw new Error(`mainnet is never reset: ${verdict}`);
  if (isGone) {
    await refuseIfShown(gateway, ledger);
    await declareLedgerGone(session.store, ledger.ledgerId, session.meta);
    return { ledgerId: ledger.ledgerId, outcome: 'gone' };
  }
  if (statement.same !== true) throw new UnrecognisedLedger(ledger);
  const recognised = { ledgerId: ledger.ledgerId, ...status.tip };
  await recogniseLedger(session.store, recognised, session.meta);
  return { ledgerId: ledger.ledgerId, outcome: 'same', index: status.tip.index };
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
  if (!status.connected || status.tip.index < tip.index) return;
  const shown = await gateway.ledgers(tip.index);
  if (shown.some((ledger) => ledger?.hash === tip.hash)) {
    throw new Error(
      `a server still shows ${ledgerId} while another one shows a different ledger: ` +
        'remove the wrong server from the configuration',
    );
  }
}
