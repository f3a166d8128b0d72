import { userInfo } from 'node:os';
import type { Config } from '../../src/config.ts';

/**
 * Name of the operator for the record; null if none is recorded. It is a statement: who may run
 * operator commands may state any name.
 */
export function operatorName(
  { records }: Pick<Config, 'records'>,
  { SUDO_USER }: Readonly<Record<string, string | undefined>> = process.env,
): string | null {
  if (!records.operator) return null;
  return records.operatorName ?? (SUDO_USER || osUser());
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no entry in the list of users, as in many containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
