import { findOrganisation } from '../../../../projections/access/query.ts';
import { queryProofDays } from '../../../../projections/proof-days/query.ts';
import { allowanceDecider, monthOf } from '../../../domain/allowance/decider.ts';
import type { Organisation } from '../../../domain/organisation/state.ts';
import { streams } from '../../../domain/streams.ts';
import { awaitPosition, type ReadDeps } from '../../../subscriptions/await-position.ts';
import { awaitKeys } from '../../keys/api-key-view.ts';
import { subjectOfOrganisation } from '../../limits/count-calls.ts';
import type { RequestLimiter } from '../../limits/request-limiter.ts';
import { daysUntil } from './proofs-chart.ts';

export interface UsageDeps extends ReadDeps {
  readonly limiter: Pick<RequestLimiter, 'look'>;
  readonly now: () => Date;
}

/** A number against its limit; null for a number that is not known now, or for no limit. */
export interface Used {
  readonly used: number | null;
  readonly limit: number | null;
}

export interface Usage {
  readonly minute: Used;
  readonly day: Used;
  readonly uploads: Used;
  /** Month of the uploads, `2026-11`. */
  readonly month: string;
  /** Dates of the chart, the oldest first. */
  readonly days: readonly string[];
  /** Anchored proofs by day; no entry for none. */
  readonly proofs: ReadonlyMap<string, number>;
}

/** Requests of the present windows, uploads of the month, and proofs by day. */
export async function readUsage(
  deps: UsageDeps,
  { organisationId, uploadAllowance }: Pick<Organisation, 'organisationId' | 'uploadAllowance'>,
): Promise<Usage> {
  const { db, store, signal, now } = deps;
  await awaitKeys(deps, organisationId);
  const organisation = await findOrganisation(db, organisationId, now());
  if (organisation === null) throw new Error(`the organisation ${organisationId} is not listed`);
  const { totalRequestsPerMinute: perMinute, totalRequestsPerDay: perDay } = organisation;
  const subject = subjectOfOrganisation(organisationId);
  const quota = { subject, limits: { perMinute, perDay }, of: 'organisation' } as const;
  const counted = (await deps.limiter.look([quota]))?.windows ?? [];
  const usedOf = (name: string) => {
    const window = counted.find((each) => each.name === name);
    return window === undefined ? null : window.limit - window.remaining;
  };
  const month = monthOf(now());
  const newest = await store.readLast(streams.allowance(organisationId, month));
  const days = daysUntil(now());
  const position = await store.lastPositionOf(organisationId);
  await awaitPosition(db, 'proof-days', position, { signal });
  return {
    minute: { used: usedOf('organisation-minute'), limit: perMinute },
    day: { used: usedOf('organisation-day'), limit: perDay },
    uploads: { used: allowanceDecider.stateAfter(newest), limit: uploadAllowance },
    ...{ month, days, proofs: await queryProofDays(db, organisationId, days[0] ?? '') },
  };
}
