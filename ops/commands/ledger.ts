import { type Command, Option } from 'commander';
import { readAnchoring } from '../../src/anchoring-state/read-anchoring.ts';
import { retireAccount } from '../../src/commands/retire-account.ts';
import { loadConfig } from '../../src/config.ts';
import { type Network, networks } from '../../src/domain/network.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { OperatorError } from '../../src/errors/operator-error.ts';
import { check, requireAgreement } from '../../src/transparency-log/guard/check.ts';
import { giveUpQueued } from '../ledger/give-up-queued.ts';
import { type OperatorNetwork, openNetworks } from '../ledger/ledger-gateways.ts';
import { describeNetwork, networkInWords } from '../ledger/ledger-status.ts';
import { type OperatorStatement, type Settlement, settleLedger } from '../ledger/settle-ledger.ts';
import { operation } from '../session/operation.ts';
import type { OperatorSession } from '../session/operator-session.ts';
import { idArgument } from '../terminal/arguments.ts';
import { addLedgerCompleteCommand } from './ledger-complete.ts';

export function addLedgerCommands(program: Command): void {
  const group = program.command('ledger').description('ledgers, anchoring accounts and backlog');

  const status = group
    .command('status')
    .description('ledger servers, anchoring accounts and open proofs');
  operation<[], object>(status, async (session) => {
    const described = await withNetworks((opened) =>
      Promise.all(opened.map((network) => describeNetwork(session, network))),
    );
    return { json: { networks: described }, text: described.map(networkInWords).join('\n\n') };
  });

  const settle = group
    .command('settle')
    .description('declare a reset ledger gone or unchanged, or give up a proof')
    .addOption(
      new Option(
        '--same',
        'the servers show the ledger on record, although none can confirm it, or a server had invented its newest index',
      ).conflicts('gone'),
    )
    .option('--gone <ledgerId>', 'the ledger on record is gone, although no server can confirm it')
    .option(
      '--give-up <proof>',
      'give up a queued proof that cannot be anchored; cannot be undone',
      idArgument<ProofId>,
    );
  operation<[], OperatorStatement & { giveUp?: ProofId }>(
    settle,
    async (session, _args, options) => {
      const { giveUp, ...statement } = options;
      if (giveUp !== undefined) {
        await withNetworks((opened) => giveUpQueued(session, opened, giveUp));
        return { json: { givenUp: giveUp }, text: `proof ${giveUp} is given up` };
      }
      // The ledger may have been reset since the backup: a restore may require this command first.
      const verdict = await check('publishing', { ...session, history: session.db });
      requireAgreement(verdict, { mayBeCopy: true });
      const settled = await withNetworks((opened) => settleAll(session, opened, statement));
      return { json: { settled }, text: settled.map(settledInWords).join('\n') };
    },
    { uncompared: true },
  );

  addLedgerCompleteCommand(group);

  const retire = group
    .command('retire')
    .description('stop signing with an anchoring account; its existing proofs still verify')
    .argument('<address>', 'address of the account (r…)')
    .addOption(
      new Option('--network <network>', 'network of the account, if it is on several').choices(
        networks,
      ),
    );
  operation<[string], { network?: Network }>(retire, async (session, [account], { network }) => {
    const retired = await withNetworks((opened) => {
      const candidates = opened.filter(
        ({ gateway }) => gateway.network === (network ?? gateway.network),
      );
      return retireOn(session, candidates, account);
    });
    const outcome = retired.isNew ? 'is retired' : 'was retired before';
    return { json: retired, text: `${account} ${outcome} on ledger ${retired.ledgerId}` };
  });
}

/** Retires the account on the one network where it is configured or has anchored. */
async function retireOn(
  session: OperatorSession,
  candidates: readonly OperatorNetwork[],
  account: string,
) {
  const found: { ledgerId: string; isRetired: boolean }[] = [];
  for (const { gateway, keys } of candidates) {
    const { ledger, retired } = await readAnchoring(session, gateway.network);
    if (ledger === null) continue;
    const stream = streams.account(ledger.ledgerId, account);
    const isKnown = keys.some(({ address }) => address === account);
    if (!isKnown && (await session.store.versionOf(stream)) === 0) continue;
    found.push({ ledgerId: ledger.ledgerId, isRetired: retired.includes(account) });
  }
  const [only, second] = found;
  if (only === undefined) {
    throw new OperatorError(
      `account ${account} is unknown: it is not configured, and no proof was ever anchored from it`,
    );
  }
  if (second !== undefined)
    throw new OperatorError(`account ${account} is on several networks: choose one with --network`);
  const { ledgerId, isRetired } = only;
  if (!isRetired) await retireAccount(session.store, { ledgerId, account }, session.meta);
  return { account, ledgerId, isNew: !isRetired };
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

async function settleAll(
  session: OperatorSession,
  networks: readonly OperatorNetwork[],
  statement: OperatorStatement,
): Promise<readonly Settlement[]> {
  const settled: Settlement[] = [];
  for (const network of networks) {
    const settlement = await settleLedger(session, network, statement);
    if (settlement !== null) settled.push(settlement);
  }
  if (settled.length > 0) return settled;
  throw new OperatorError('nothing to settle: every server shows the ledger on record');
}

function settledInWords(settlement: Settlement): string {
  return settlement.outcome === 'gone'
    ? `ledger ${settlement.ledgerId} is gone`
    : `ledger ${settlement.ledgerId} is confirmed at index ${settlement.index}`;
}
