import { isUlid } from '../ulid.ts';

/**
 * The name under which a log's checkpoints are published, and that of its keys: `proofmark/<logId>`,
 * and from the second epoch on `proofmark/<logId>/<epoch>`. A new epoch begins a tree that is
 * another log for those who follow it, since it may lack what the one before had.
 */
export function originOf(logId: string, epoch: number): string {
  return `proofmark/${logId}${epoch === 1 ? '' : `/${epoch}`}`;
}

/** Null for a name that is not one of ours. */
export function parseOrigin(
  origin: string,
): { readonly logId: string; readonly epoch: number } | null {
  const [, logId = '', digits = '1'] =
    /^proofmark\/([^/]+)(?:\/([1-9]\d{0,8}))?$/.exec(origin) ?? [];
  const epoch = Number(digits);
  return isUlid(logId) && originOf(logId, epoch) === origin ? { logId, epoch } : null;
}
