import { type Command, Option } from 'commander';
import { giveUpProof } from '../../src/commands/give-up-proof.ts';
import { retireAccount } from '../../src/commands/retire-account.ts';
import { loadConfig } from '../../src/config.ts';
import { type Network, networks } from '../../src/domain/network.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { readAnchoring } from '../../src/reactors/anchoring/read-anchoring.ts';
import { check, requireAgreement } from '../../src/transparency-log/guard/check.ts';
import { id } from '../arguments.ts';
import { type OperatorNetwork, openNetworks } from '../ledger-gateways.ts';
import { describeNetwork, networkInWords } from '../ledger-status.ts';
import { operation } from '../operation.ts';
import type { OperatorSession } from '../operator-session.ts';
import { type Settlement, settleLedger, type Word } from '../settle-ledger.ts';

/** Adds `ledger …`. */
export function addLedgerCommands(program: Command): void {
  const group = program.command('ledger').description('ledgers, anchoring accounts and backlog');

  const status = group.command('status').description('servers, accounts and what is not settled');
  operation<[], object>(status, async (session) => {
    const described = await withNetworks((opened) =>
      Promise.all(opened.map((network) => describeNetwork(session, network))),
    );
    return { json: { networks: described }, text: described.map(networkInWords).join('\n\n') };
  });

  const settle = group
    .command('settle')
    .description('say what became of a ledger that was reset, or give up a proof')
    .addOption(
      new Option('--same', 'it is the known ledger, though no server can show it').conflicts(
        'gone',
      ),
    )
    .option('--gone <ledgerId>', 'this ledger is gone, though no server can show it')
    .option('--give-up <proof>', 'a queued proof that cannot be anchored: final', id<ProofId>);
  // A ledger may have been reset, too, since a backup that is to be taken up: this comes first then.
  operation<[], Word & { giveUp?: ProofId }>(
    settle,
    async (session, _args, options) => {
      const { giveUp, ...word } = options;
      const verdict = await check({ of: 'publishing', ...session, history: session.db });
      requireAgreement(verdict, { mayBeCopy: giveUp === undefined });
      if (giveUp !== undefined) {
        await giveUpProof(session.store, giveUp, session.meta);
        return { json: { givenUp: giveUp }, text: `proof ${giveUp} is given up` };
      }
      const settled = await withNetworks((opened) => settleAll(session, opened, word));
      return { json: { settled }, text: settled.map(settledInWords).join('\n') };
    },
    { uncompared: true },
  );

  const retire = group
    .command('retire')
    .description('sign nothing more with an anchoring account; what it anchored still verifies')
    .argument('<address>', 'of the account')
    .addOption(new Option('--network <network>', 'where it anchors').choices(networks));
  operation<[string], { network?: Network }>(retire, async (session, [account], { network }) => {
    const retired = await withNetworks((opened) => {
      const candidates = opened.filter(
        ({ gateway }) => gateway.network === (network ?? gateway.network),
      );
      return retireOn(session, candidates, account);
    });
    const said = retired.isNew ? 'is retired' : 'was retired before';
    return { json: retired, text: `${account} ${said} on ledger ${retired.ledgerId}` };
  });
}

/** Retires the account on the one network on which it is configured or has anchored. */
async function retireOn(
  session: OperatorSession,
  candidates: readonly OperatorNetwork[],
  account: string,
) {
  const found: string[] = [];
  for (const { gateway, keys } of candidates) {
    const { ledger } = await readAnchoring(session, gateway.network);
    if (ledger === null) continue;
    const stream = streams.account(ledger.ledgerId, account);
    const isKnown = keys.some(({ address }) => address === account);
    if (isKnown || (await session.store.versionOf(stream)) > 0) found.push(ledger.ledgerId);
  }
  const [ledgerId, second] = found;
  if (ledgerId === undefined) {
    throw new Error(`${account} is not configured, and nothing was ever anchored from it`);
  }
  if (second !== undefined) throw new Error(`${account} is on several networks: say --network`);
  const isNew = await retireAccount(session.store, { ledgerId, account }, session.meta);
  return { account, ledgerId, isNew };
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
  word: Word,
): Promise<readonly Settlement[]> {
  const settled: Settlement[] = [];
  for (const network of networks) {
    const settlement = await settleLedger(session, network, word);
    if (settlement !== null) settled.push(settlement);
  }
  if (settled.length > 0) return settled;
  throw new Error('every server shows the ledger that is known: nothing to settle');
}

function settledInWords(settlement: Settlement): string {
  return settlement.outcome === 'gone'
    ? `ledger ${settlement.ledgerId} is gone`
    : `ledger ${settlement.ledgerId} goes on at index ${settlement.index}`;
}
