import { type ShareLimits, Shares } from './shares.ts';

const mib = 1_048_576;

/** Maximum bytes of a small JSON body or answer. */
export const smallBytes = 65_536;

/** Resources that calls compete for, each divided fairly among organisations. */
export interface HttpShares {
  /** Bytes of small JSON bodies, until they are parsed. */
  readonly smallBodies: Shares;
  /** Bytes of larger JSON bodies, until they are parsed or their calls handled. */
  readonly largeBodies: Shares;
  /** Bytes of large answers, until they are sent. */
  readonly answers: Shares;
  readonly uploads: Shares;
  readonly downloads: Shares;
  readonly webhookTests: Shares;
}

const waiting = {
  waitMs: 20_000,
  patienceMs: 5_000,
  slowBytesPerSecond: 65_536,
  graceMs: 5_000,
} as const;

const limits = {
  smallBodies: { name: 'request bodies', total: 32 * mib, perOrganisation: 8 * mib },
  largeBodies: { name: 'large request bodies', total: 96 * mib, perOrganisation: 24 * mib },
  answers: { name: 'large answers', total: 128 * mib, perOrganisation: 32 * mib },
  uploads: { name: 'uploads', total: 300, perOrganisation: 100 },
  downloads: { name: 'downloads', total: 200, perOrganisation: 50 },
  webhookTests: { name: 'tests of webhook endpoints', total: 100, perOrganisation: 5 },
} satisfies Readonly<Record<keyof HttpShares, Omit<ShareLimits, keyof typeof waiting>>>;

/** The shares of one process. */
export function createShares(
  changes: Partial<Readonly<Record<keyof HttpShares, Partial<ShareLimits>>>> = {},
): HttpShares {
  const of = (name: keyof HttpShares) =>
    new Shares({ ...waiting, ...limits[name], ...changes[name] });
  return {
    smallBodies: of('smallBodies'),
    largeBodies: of('largeBodies'),
    answers: of('answers'),
    uploads: of('uploads'),
    downloads: of('downloads'),
    webhookTests: of('webhookTests'),
  };
}
