import { type Command, Option } from 'commander';
import { declareLedgerGone } from '../../src/commands/declare-ledger-gone.ts';
import { giveUpProof } from '../../src/commands/give-up-proof.ts';
import { retireAccount } from '../../src/commands/retire-account.ts';
import { loadConfig } from '../../src/config.ts';
import { type Network, networks } from '../../src/domain/network.ts';
import { streams } from '../../src/domain/streams.ts';
import type { ProofId } from '../../src/domain/ulid.ts';
import { confirmLedger, OtherLedger } from '../../src/reactors/anchoring/ledger-identity.ts';
import { readAnchoring } from '../../src/reactors/anchoring/read-anchoring.ts';
import { id } from '../arguments.ts';
import { type OperatorNetwork, openNetworks } from '../ledger-gateways.ts';
import { describeNetwork, networkInWords } from '../ledger-status.ts';
import { operation } from '../operation.ts';
import type { OperatorSession } from '../operator-session.ts';

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
