import type { Network } from '../../../domain/network.ts';
import type { KnownLedgers } from '../../../views/known-ledgers.ts';
import type { PublicFacts } from '../../pages/public-facts.ts';
import { consoleReply } from '../console-page.ts';
import type { ConsoleRoute } from '../console-route.ts';
import { type Html, html } from '../html.ts';
import type { AccountBalances } from './account-balances.ts';

type Account = PublicFacts['accounts'][number];

interface Deps {
  readonly network: Network;
  readonly ledgers: Pick<KnownLedgers, 'isStandaloneNetwork'>;
  readonly accountBalances: AccountBalances;
  /** Accounts as the pages show them; null while they cannot be read. */
  readonly publicFacts: () => Promise<PublicFacts | null>;
}

/** Balances asked for at once. */
const mostBalances = 10;

/** The accounts on the ledger whose transactions are the organisation's proofs. */
export const accountPage: ConsoleRoute<Deps> = {
  kind: 'view',
  path: '/console/account',
  role: 'member',
  handle: async ({ viewer, root }, deps) => {
    const { network } = deps;
    const facts = await deps.publicFacts();
    const shown = (await deps.ledgers.isStandaloneNetwork(network)) ? 'standalone' : network;
    const own = facts?.accounts.filter((each) => each.network === shown) ?? [];
    const current = own.filter(({ status }) => status === 'current').slice(0, mostBalances);
    const balances = await Promise.all(
      current.map(({ address }) => deps.accountBalances(network, address)),
    );
    const retired = own.filter(({ status }) => status === 'retired');
    const content = html`<h1>Ledger account</h1>
      <p class="lead">Each proof of your organisation is a transaction of ${current.length > 1 ? 'one of these accounts' : 'this account'}
      on the ${words[shown]}. Everybody can read it there, without this service.</p>
      ${facts === null && html`<p class="note">The accounts cannot be read now. Load the page again shortly.</p>`}
      ${
        current.length > 0
          ? html`<ul class="cards">${current.map((account, index) => card(account, balances[index] ?? null))}</ul>`
          : facts !== null && nothing(root)
      }
      ${
        retired.length > 0 &&
        html`<h2>Retired accounts</h2><p class="hint">They anchor no more. Their proofs stay valid.</p>
          <ul class="rows">${retired.slice(0, 100).map(({ address }) => html`<li><code>${address}</code></li>`)}</ul>`
      }
      <p class="hint">The operator of the service owns and funds the accounts. Whoever checks a proof compares its
      account with this list, which is also in <a href="${root}api/v1/docs">the quickstart</a>.</p>`;
    return consoleReply({ title: 'Ledger account', content, root, viewer, place: 'account' });
  },
};

const words = {
  mainnet: 'mainnet of the XRP Ledger',
  testnet: 'testnet of the XRP Ledger',
  standalone: 'development ledger of this service, which has no evidential value',
} as const;

const explorers: Readonly<Record<Network, string>> = {
  mainnet: 'https://livenet.xrpl.org/accounts/',
  testnet: 'https://testnet.xrpl.org/accounts/',
};

function card({ address, network }: Account, drops: bigint | null): Html {
  const explorer = network === 'standalone' ? null : `${explorers[network]}${address}`;
  return html`<li class="card"><h2><code>${address}</code></h2>
      <dl>
        <div><dt>Ledger</dt><dd>${words[network]}</dd></div>
        <div><dt>Balance</dt><dd>${drops === null ? 'not known now' : `${inXrp(drops)} XRP`}</dd></div>
        ${explorer !== null && html`<div><dt>In the explorer</dt><dd><a rel="noreferrer" href="${explorer}">${explorer}</a></dd></div>`}
      </dl></li>`;
}

/** An amount in drops as XRP, without zeros at its end. */
export function inXrp(drops: bigint): string {
  const digits = drops.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

function nothing(root: string): Html {
  return html`<div class="empty"><h2>No account is known yet</h2>
      <p>It appears with the first proof. <a href="${root}console/documents">See what is proven</a>.</p></div>`;
}
