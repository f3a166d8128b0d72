import type { AnchoringSummary } from '../../src/anchoring-state/anchoring-fold.ts';
import { readAnchoring } from '../../src/anchoring-state/read-anchoring.ts';
import { closeTimeIso } from '../../src/domain/ledger/close-time.ts';
import { isAuthorised } from '../../src/ledger/authorised-key.ts';
import type { LedgerServer } from '../../src/ledger/contract.ts';
import { createKnownLedgers } from '../../src/views/known-ledgers.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import { table } from '../terminal/printable.ts';
import type { AccountKey, OperatorNetwork } from './ledger-gateways.ts';

/**
 * State of an anchoring account: `signing`, or the reason why nothing is signed with it. The
 * transactions of an account that is `removed` from the configuration are still settled. `unknown`
 * if no server answers.
 */
type AccountState =
  | 'signing'
  | 'retired'
  | 'removed'
  | 'unfunded'
  | 'key not authorised'
  /** Only the address is known here. */
  | 'key not known'
  | 'unknown';

type NetworkDescription = Awaited<ReturnType<typeof describeNetwork>>;

/**
 * Describes a network: servers, accounts and backlog, from the configuration, the log and the
 * ledger's answers.
 */
export async function describeNetwork(
  session: OperatorSession,
  { gateway, keys, checkpointKey }: OperatorNetwork,
) {
  const { ledger, retired, outstanding, ...backlog } = await readAnchoring(
    session,
    gateway.network,
  );
  const all = checkpointKey === null ? keys : [...keys, checkpointKey];
  const configured = new Map<string, AccountKey>(all.map((key) => [key.address, key]));
  const addresses = new Set([...configured.keys(), ...retired, ...Object.keys(outstanding)]);
  const accounts = await Promise.all(
    [...addresses].map(async (address) => {
      const account = await gateway.account(address, 0).catch(() => undefined);
      const stateOf = (): AccountState => {
        const key = configured.get(address);
        if (retired.includes(address)) return 'retired';
        if (key === undefined) return 'removed';
        if (account === undefined) return 'unknown';
        if (account === null) return 'unfunded';
        if (key.publicKey === null) return 'key not known';
        const { publicKey } = key;
        return isAuthorised({ address, publicKey }, account) ? 'signing' : 'key not authorised';
      };
      return {
        address,
        of: address === checkpointKey?.address ? 'checkpoints' : 'proofs',
        state: stateOf(),
        balanceDrops: account ? String(account.balanceDrops) : null,
        nextSequence: account?.sequence ?? null,
        outstanding: outstanding[address] ?? 0,
      };
    }),
  );
  const current = gateway.current();
  return {
    network: (await isStandalone(session, ledger?.ledgerId)) ? 'standalone' : gateway.name(),
    ledgerId: ledger?.ledgerId ?? null,
    openLedgerFeeDrops: current.connected ? current.openLedgerFeeDrops : null,
    servers: gateway.servers().map(({ name, state, tip, reason, ...server }) => ({
      server: name,
      state,
      ledgerIndex: tip?.index ?? null,
      reason,
      amendmentBlocked: server.amendmentBlocked,
      unsupportedMajority: majorityOf(server),
    })),
    accounts,
    backlog,
  };
}

/** Times in ISO 8601; `expectedAt` is null if the server does not state it. */
function majorityOf({ unsupportedMajority }: Pick<LedgerServer, 'unsupportedMajority'>) {
  if (unsupportedMajority === null) return null;
  const { expectedTime } = unsupportedMajority;
  return { expectedAt: expectedTime === null ? null : closeTimeIso(expectedTime) };
}

/** Formats the description for people. */
export function networkInWords(described: NetworkDescription): string {
  const { network, ledgerId, servers, accounts, backlog } = described;
  const cell = (value: string | number | null) => (value === null ? '-' : String(value));
  return [
    `${network}, ledger ${ledgerId ?? 'not joined yet'}`,
    table(
      ['SERVER', 'STATE', 'LEDGER', ''],
      servers.map((s) => [s.server, s.state, cell(s.ledgerIndex), noteOn(s)]),
    ),
    table(
      ['ACCOUNT', 'OF', 'STATE', 'BALANCE (DROPS)', 'NEXT SEQUENCE', 'OUTSTANDING'],
      accounts.map((a) => [
        a.address,
        a.of,
        a.state,
        cell(a.balanceDrops),
        cell(a.nextSequence),
        cell(a.outstanding),
      ]),
    ),
    waiting(backlog),
  ].join('\n');
}

function noteOn({ reason, unsupportedMajority }: NetworkDescription['servers'][number]): string {
  if (unsupportedMajority === null) return reason ?? '';
  const when = unsupportedMajority.expectedAt ?? 'an unknown time';
  return `lacks an amendment that is expected to block it at ${when}; upgrade its rippled (xrpld)`;
}

type OpenProofs = Omit<AnchoringSummary, 'ledger' | 'retired' | 'outstanding'>;

function waiting({ pending, processing, queued, oldestRequestedAt }: OpenProofs): string {
  const since = oldestRequestedAt === null ? '' : `, the oldest since ${oldestRequestedAt}`;
  return `backlog: ${pending} pending, ${processing} processing, ${queued} of them queued${since}`;
}

/** The log knows a ledger of which no server answers now. */
async function isStandalone(
  session: OperatorSession,
  ledgerId: string | undefined,
): Promise<boolean> {
  return ledgerId !== undefined && createKnownLedgers(session).isStandalone(ledgerId);
}
