import { countLiveKeys } from '../../projections/access/list-keys.ts';
import type { CountKeys } from '../../src/commands/issue-key.ts';
import { ProjectionBehind } from '../../src/subscriptions/await-position.ts';
import type { OperatorSession } from './operator-session.ts';

/**
 * Counts an organisation's live keys in the read model. Brings the read model up to date first if a
 * key was issued before.
 */
export function createKeyCount({
  settle,
  db,
  now,
}: Pick<OperatorSession, 'settle' | 'db' | 'now'>): CountKeys {
  return async (organisationId, position) => {
    if (position > 0) await settle().catch(explain);
    return countLiveKeys(db, organisationId, now());
  };
}

function explain(cause: unknown): never {
  if (!(cause instanceof ProjectionBehind)) throw cause;
  const trouble = "no key was issued: the organisation's keys cannot be counted";
  throw new Error(
    `${trouble}, since the read model is behind: check that a process with the role projector runs`,
    { cause },
  );
}
