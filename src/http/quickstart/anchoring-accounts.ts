import { listAnchoringAccounts } from '../../../projections/anchors/query.ts';
import type { RouteDeps } from '../route-deps.ts';
import type { AnchoringAccount } from './quickstart-schema.ts';

/** Every account that public verification takes for this service's, in the order of their addresses. */
export async function readAnchoringAccounts({
  db,
  ownAccounts,
}: Pick<RouteDeps, 'db' | 'ownAccounts'>): Promise<AnchoringAccount[]> {
  const used = await listAnchoringAccounts(db);
  const unused = ownAccounts.filter(
    (own) => !used.some((one) => one.network === own.network && one.address === own.address),
  );
  return [
    ...used.map(({ network, address, retired }): AnchoringAccount => {
      return { network, address, status: retired ? 'retired' : 'current' };
    }),
    ...unused.map((own): AnchoringAccount => ({ ...own, status: 'current' })),
  ].sort((a, b) => compare(a.network, b.network) || compare(a.address, b.address));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
