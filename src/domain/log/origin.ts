import { isUlid } from '../ulid.ts';

/**
 * Name of a log in its published checkpoints, and of its keys. It is `proofmark/<logId>`, and from
 * the second epoch on `proofmark/<logId>/<epoch>`. A new epoch begins a new tree, which its
 * followers treat as another log, since it may lack earlier events.
 */
export function originOf(logId: string, epoch: number): string {
  return `proofmark/${logId}${epoch === 1 ? '' : `/${epoch}`}`;
}

/** The epoch that the name of a log states; 0 if the name is not one of ours. */
export function epochOf(origin: string): number {
  return parseOrigin(origin)?.epoch ?? 0;
}

/** Parses the name of a log; null if it is not one of ours. */
export function parseOrigin(
  origin: string,
): { readonly logId: string; readonly epoch: number } | null {
  const [, logId = '', digits = '1'] =
    /^proofmark\/([^/]+)(?:\/([1-9]\d{0,8}))?$/.exec(origin) ?? [];
  const epoch = Number(digits);
  return isUlid(logId) && originOf(logId, epoch) === origin ? { logId, epoch } : null;
}
