import { filter, firstValueFrom, timeout } from 'rxjs';
import type { NetworkConfig } from '../config/networks.ts';
import { parseOneAccount } from '../config/parse-accounts.ts';
import { type Network, networks } from '../domain/network.ts';
import { startStandaloneNetwork } from '../embedded/standalone-network.ts';
import { type ChargeBooks, createChargeBooks } from '../ledger/charge-books.ts';
import type { LedgerGateway } from '../ledger/contract.ts';
import { openGateway } from '../ledger/gateway.ts';
import { type ReadLedger, rememberLedgers } from '../ledger/remember-ledgers.ts';
import type { Signer } from '../ledger/signer.ts';
import type { ValidatorListSource } from '../reactors/attesting/read-lists.ts';
import { knownPublishers } from '../verifier/evidence/known-publishers.ts';
import { CannotServe } from './cannot-serve.ts';
import { openSigners } from './open-signers.ts';
import type { Program } from './program.ts';

/** A network to anchor on or read: its gateway, and the accounts to sign with. */
export interface NetworkParts {
  readonly gateway: LedgerGateway;
  /** The same ledgers as the gateway's, without asking twice for the newest ones. */
  readonly ledger: ReadLedger;
  readonly urls: readonly string[];
  /** Accounts of our load on these servers, for every connection to them. */
  readonly books: ChargeBooks;
  /** Published lists of the network's validators; empty if their signatures are not collected. */
  readonly validatorLists: readonly ValidatorListSource[];
  /** Addresses of the anchoring accounts. */
  readonly accounts: readonly string[];
  /** Address of the account that anchors checkpoints of the log; null on the other network. */
  readonly checkpointAccount: string | null;
  /** One for each anchoring account; none in a process that does not sign. */
  readonly signers: readonly Signer[];
  /** Signs for `checkpointAccount`; null without it, and in a process that does not sign. */
  readonly checkpointSigner: Signer | null;
}

const firstVerdictMs = 5_000;

/** Connects to the configured networks, or to a standalone ledger if none is configured. */
export async function startNetworks(program: Program): Promise<NetworkParts[]> {
  const { config, log, parts, fail } = program;
  if (config.needlessSeeds.length > 0) {
    log.warn(
      { variables: config.needlessSeeds },
      'this process never signs: give it the addresses of the accounts instead of their seeds',
    );
  }
  let starting = true;
  const checkpointsOn = networks.find((network) => config.networks[network]?.checkpointAccount);
  const signerOf = await openSigners(program);
  const open = async (
    network: Network,
    { urls, accounts, checkpointAccount, validatorLists }: NetworkConfig,
    anchorsCheckpoints: boolean,
  ): Promise<NetworkParts> => {
    const books = createChargeBooks(config.ledgerLoadPercent / 100);
    const opened = openGateway({
      network,
      urls,
      books,
      onTrouble: (server, reason) =>
        log.warn({ server, reason }, 'ledger server connection lost; reconnecting'),
      onRefused: (server, reason) => {
        const message = `${server} is not a server of ${network}: ${reason}; correct XRPL_${network.toUpperCase()}_URL`;
        // A refused server is not used. During the start a refusal stops the program, so that the
        // operator corrects the URL at once. A running service continues with the other servers.
        if (starting) fail(new CannotServe(message));
        else log.error(message);
      },
    });
    const { gateway, ledger } = rememberLedgers(opened);
    parts.add(`${network} gateway`, () => gateway.close());
    const own = anchorsCheckpoints ? checkpointAccount : null;
    const lists = validatorLists ?? knownLists(network);
    return {
      gateway,
      ledger,
      urls,
      books,
      validatorLists: lists,
      accounts: accounts.map(({ address }) => address),
      checkpointAccount: own?.address ?? null,
      signers: (await Promise.all(accounts.map(signerOf))).filter((signer) => signer !== null),
      checkpointSigner: own && (await signerOf(own)),
    };
  };
  const configured = await Promise.all(
    networks.flatMap((network) => {
      const own = config.networks[network];
      return own ? [open(network, own, network === checkpointsOn)] : [];
    }),
  );
  if (configured.length > 0) {
    await Promise.all(configured.map(({ gateway }) => firstVerdict(gateway)));
    starting = false;
    return configured;
  }
  const { dataDir, standaloneCloseMs: closeMs } = config;
  const standalone = await startStandaloneNetwork({ dataDir, closeMs });
  parts.add('standalone ledger', () => standalone.stop());
  const accounts = [parseOneAccount(standalone.seed)];
  const checkpointAccount = parseOneAccount(standalone.checkpointSeed);
  const [urls, validatorLists] = [[standalone.url], [standalone.validatorList]];
  return [await open('testnet', { urls, accounts, checkpointAccount, validatorLists }, true)];
}

/** Networks whose validators this service listens to. */
export function attestedNetworks(configured: readonly NetworkParts[]): readonly Network[] {
  const heard = configured.filter(({ validatorLists }) => validatorLists.length > 0);
  return heard.map(({ gateway }) => gateway.network);
}

/** The lists of the network's well-known publishers. */
function knownLists(network: Network): ValidatorListSource[] {
  return knownPublishers
    .filter((publisher) => publisher.network === network)
    .map(({ name, key }) => ({ url: `https://${name}`, publisherKey: key }));
}

/** Waits until each server answered or failed once: one of another network stops the start. */
async function firstVerdict(gateway: LedgerGateway): Promise<void> {
  const tried = () => gateway.servers().every(({ state }) => state !== 'connecting');
  const verdict = gateway.status.pipe(filter(tried), timeout(firstVerdictMs));
  await firstValueFrom(verdict).catch(() => null);
}
