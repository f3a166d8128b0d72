import type { Command } from 'commander';
import { declareLedgerGone } from '../../src/commands/declare-ledger-gone.ts';
import { giveUpProof } from '../../src/commands/give-up-proof.ts';
import { loadConfig } from '../../src/config.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import type { AnchoringSummary } from '../../src/reactors/anchoring/anchoring-fold.ts';
import { confirmLedger, OtherLedger } from '../../src/reactors/anchoring/ledger-identity.ts';
import { readAnchoring } from '../../src/reactors/anchoring/read-anchoring.ts';
import { id } from '../arguments.ts';
import { type OperatorNetwork, openNetworks } from '../ledger-gateways.ts';
import { operation } from '../operation.ts';
import type { OperatorSession } from '../operator-session.ts';
import { table } from '../printable.ts';

/** Adds `ledger …`. */
export function addLedgerCommands(program: Command): void {
  const group = program.command('ledger').description('ledgers, anchoring accounts and backlog');

  const status = group.command('status').description('servers, accounts and what is not settled');
  operation<[], object>(status, async (session) => {
    const networks = await withNetworks((opened) =>
      Promise.all(opened.map((network) => describe(session, network))),
    );
    return { json: { networks }, text: networks.map(inWords).join('\n\n') };
  });

  const settle = group
    .command('settle')
    .description('declare a ledger gone that was reset, or give up a proof')
    .option('--give-up <proof>', 'a queued proof that cannot be anchored: final', id<ProofId>);
  operation<[], { giveUp?: ProofId }>(settle, async (session, _args, { giveUp }) => {
    if (giveUp !== undefined) {
      await giveUpProof(session.store, giveUp, session.meta);
      return { json: { givenUp: giveUp }, text: `proof ${giveUp} is given up` };
    }
    const gone = await withNetworks((opened) => declareResetLedgers(session, opened));
    return {
      json: { gone },
      text: gone.map((ledgerId) => `ledger ${ledgerId} is gone`).join('\n'),
    };
  });
}

async function withNetworks<Result>(
  work: (networks: readonly OperatorNetwork[]) => Promise<Result>,
): Promise<Result> {
  const networks = await openNetworks(loadConfig(process.env));
  try {
    return await work(networks);
  } finally {
    await Promise.all(networks.map(({ gateway }) => gateway.close()));
  }
}

type Description = Awaited<ReturnType<typeof describe>>;

async function describe(session: OperatorSession, { gateway, addresses }: OperatorNetwork) {
  const { ledger, ...backlog } = await readAnchoring(session, gateway.network);
  const accounts = await Promise.all(
    addresses.map(async (address) => {
      const account = await gateway.account(address, 0).catch(() => null);
      const balanceDrops = account === null ? null : String(account.balanceDrops);
      return { address, balanceDrops, nextSequence: account?.sequence ?? null };
    }),
  );
  const current = gateway.current();
  const feeDrops = current.connected ? current.openLedgerFeeDrops : null;
  return {
    network: gateway.network,
    ledgerId: ledger?.ledgerId ?? null,
    openLedgerFeeDrops: feeDrops,
    servers: gateway.servers().map(({ name, state, tip, reason }) => ({
      server: name,
      state,
      ledgerIndex: tip?.index ?? null,
      reason,
    })),
    accounts,
    backlog,
  };
}

function inWords({ network, ledgerId, servers, accounts, backlog }: Description): string {
  const cell = (value: string | number | null) => (value === null ? '-' : String(value));
  return [
    `${network}, ledger ${ledgerId ?? 'not joined yet'}`,
    table(
      ['SERVER', 'STATE', 'LEDGER', ''],
      servers.map((s) => [s.server, s.state, cell(s.ledgerIndex), s.reason ?? '']),
    ),
    table(
      ['ACCOUNT', 'BALANCE (DROPS)', 'NEXT SEQUENCE'],
      accounts.map((a) => [a.address, cell(a.balanceDrops), cell(a.nextSequence)]),
    ),
    waiting(backlog),
  ].join('\n');
}

function waiting(backlog: Omit<AnchoringSummary, 'ledger'>): string {
  const { pending, processing, queued, oldestRequestedAt } = backlog;
  const since = oldestRequestedAt === null ? '' : `, the oldest since ${oldestRequestedAt}`;
  return `backlog: ${pending} pending, ${processing} processing, ${queued} of them queued${since}`;
}

async function declareResetLedgers(
  session: OperatorSession,
  networks: readonly OperatorNetwork[],
): Promise<string[]> {
  const gone: string[] = [];
  for (const { gateway } of networks) {
    const { ledger } = await readAnchoring(session, gateway.network);
    const status = gateway.current();
    if (ledger === null || gateway.network === 'mainnet') continue;
    if (!status.connected) {
      throw new Error(
        `${gateway.network} cannot be reached (${status.reason}); nothing is settled`,
      );
    }
    try {
      await confirmLedger(gateway, ledger, status.tip);
    } catch (error) {
      if (!(error instanceof OtherLedger)) throw error;
      await declareLedgerGone(session.store, ledger.ledgerId, session.meta);
      gone.push(ledger.ledgerId);
    }
  }
  if (gone.length === 0)
    throw new Error('every server shows the ledger that is known: nothing to settle');
  return gone;
}
