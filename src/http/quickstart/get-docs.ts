import { listAnchoringAccounts } from '../../../projections/anchors/query.ts';
import type { IssuerKeys } from '../../issuer/contract.ts';
import type { ReadModels } from '../../subscriptions/projection.ts';
import type { KnownLedgers } from '../../views/known-ledgers.ts';
import type { LogKeys } from '../log/log-keys.ts';
import type { PublicFacts } from '../pages/public-facts.ts';
import type { OwnAccount } from '../proofs/own-account.ts';
import { defineOpenRoute } from '../route.ts';
import { quickstart } from './quickstart-example.ts';
import { type AnchoringAccount, type Quickstart, quickstartResponse } from './quickstart-schema.ts';

/** Dependencies of listing the anchoring accounts. */
interface AccountsDeps {
  readonly db: ReadModels;
  readonly ledgers: Pick<KnownLedgers, 'isStandaloneNetwork'>;
  /** Configured anchoring accounts, used or not. */
  readonly ownAccounts: readonly OwnAccount[];
}

/** Dependencies of reading all facts by which people recognise this service. */
interface FactsDeps extends AccountsDeps, LogKeys {
  readonly issuer: Pick<IssuerKeys, 'list'>;
}

interface QuickstartDeps {
  /** The quickstart without its changing members. */
  readonly quickstart: () => Omit<Quickstart, 'anchoringAccounts' | 'logKeys' | 'issuerKeys'>;
}

export const getDocs = defineOpenRoute({
  operationId: 'getQuickstart',
  tag: 'Service',
  method: 'GET',
  path: '/docs',
  scope: null,
  summary: 'The quickstart for programs: how to call the API and how to verify a proof',
  responses: {
    200: {
      description: 'the quickstart',
      schema: quickstartResponse,
      example: { success: true, data: quickstart },
    },
  },
  refusals: ['SERVICE_UNAVAILABLE'],
  handle: async (_call, deps: FactsDeps & QuickstartDeps) => {
    const { accounts, logKeys, issuerKeys } = await readPublicFacts(deps);
    const data = {
      ...deps.quickstart(),
      anchoringAccounts: [...accounts],
      logKeys: [...logKeys],
      issuerKeys: issuerKeys.filter(isTrusted).map(({ key }) => key),
    };
    return { status: 200, body: { success: true, data } };
  },
});

/** A compromised key must not be pinned: somebody else may sign with it. */
function isTrusted({ compromisedSince }: PublicFacts['issuerKeys'][number]): boolean {
  return compromisedSince === null;
}

/** Reads the accounts, and the keys of the log and of the issuer, as they are now. */
export async function readPublicFacts(deps: FactsDeps): Promise<PublicFacts> {
  const [accounts, logKeys, issuerKeys] = await Promise.all([
    readAnchoringAccounts(deps),
    deps.logKeys(),
    deps.issuer.list(),
  ]);
  return { accounts, logKeys, issuerKeys };
}

/**
 * Every account that public verification accepts as this service's, sorted by network and address.
 */
async function readAnchoringAccounts({
  db,
  ledgers,
  ownAccounts,
}: AccountsDeps): Promise<AnchoringAccount[]> {
  const used = await listAnchoringAccounts(db);
  const unused = ownAccounts.filter(
    (own) => !used.some((one) => one.network === own.network && one.address === own.address),
  );
  const configured = unused.map(async ({ network, address }) => {
    const standalone = await ledgers.isStandaloneNetwork(network);
    return { network, standalone, address, retired: false };
  });
  return [...used, ...(await Promise.all(configured))]
    .map(({ network, standalone, address, retired }): AnchoringAccount => {
      const status = retired ? 'retired' : 'current';
      return { network: standalone ? 'standalone' : network, address, status };
    })
    .sort((a, b) => compare(a.network, b.network) || compare(a.address, b.address));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
