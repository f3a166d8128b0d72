import { declareLedgerGone } from '../src/commands/declare-ledger-gone.ts';
import { recogniseLedger } from '../src/commands/recognise-ledger.ts';
import {
  confirmLedger,
  type KnownLedger,
  OtherLedger,
  UnrecognisedLedger,
} from '../src/reactors/anchoring/ledger-identity.ts';
import { readAnchoring } from '../src/reactors/anchoring/read-anchoring.ts';
import type { OperatorNetwork } from './ledger-gateways.ts';
import type { OperatorSession } from './operator-session.ts';

/** What an operator knows that no server can show. */
export interface Word {
  /** It is the same ledger, though no server shows the part by which that could be seen. */
  readonly same?: boolean;
  /** This ledger (its ledgerId) is gone. */
  readonly gone?: string;
}

export type Settlement =
  | { readonly ledgerId: string; readonly outcome: 'gone' }
  | { readonly ledgerId: string; readonly outcome: 'same'; readonly index: number };

/**
 * Settles what became of the known ledger of a network, by the word of every configured server or,
 * where these cannot tell, of the operator. Null if it is the known one. Throws, and nothing is
 * changed, while a server is away or behind, or one still shows the known ledger beside another:
 * what is declared gone wrongly would be anchored again.
 */
export async function settleLedger(
  session: OperatorSession,
  { gateway }: OperatorNetwork,
  word: Word,
): Promise<Settlement | null> {
  const { network } = gateway;
  const { ledger } = await readAnchoring(session, network);
  if (ledger === null) return null;
  const status = gateway.current();
  const away = gateway.servers().filter(({ state }) => state !== 'ready');
  if (away.length > 0 || !status.connected) {
    const why = away.map(({ name, reason }) => `${name} (${reason})`).join(', ');
    throw new Error(
      `every configured server of ${network} must be asked, but not all answer: ${why}; ` +
        'wait for them, or take them out of the configuration',
    );
  }
  const verdict = await verdictOn(gateway, ledger);
  if (verdict === 'behind') {
    throw new Error(
      `the servers of ${network} are at ledger ${status.tip.index}, behind the ` +
        `${ledger.tip.index} that was seen: wait until they have caught up`,
    );
  }
  if (verdict === 'same') return null;
  const isGone = verdict !== 'unrecognised' || word.gone === ledger.ledgerId;
  if (isGone && network === 'mainnet') throw new Error(`mainnet is never reset: ${verdict}`);
  if (isGone) {
    await refuseIfShown(gateway, ledger);
    await declareLedgerGone(session.store, ledger.ledgerId, session.meta);
    return { ledgerId: ledger.ledgerId, outcome: 'gone' };
  }
  if (word.same !== true) throw new UnrecognisedLedger(ledger);
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
        'take the wrong one out of the configuration',
    );
  }
}
