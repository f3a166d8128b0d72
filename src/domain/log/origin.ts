import { isUlid } from '../ulid.ts';

/** Start of the names of logs that were opened without another. */
const defaultPrefix = 'proofmark';

/** Parts of a log's name. */
interface NamedLog {
  /** Name of the log in its first epoch. */
  readonly name: string;
  readonly logId: string;
  readonly epoch: number;
}

/**
 * Name of a new log: a prefix under the domain of its operator, such as `example.com/log`, then the
 * log's id. So a database that is begun anew never takes the name of an earlier log.
 */
export function logName(logId: string, prefix: string | null = null): string {
  return `${prefix ?? defaultPrefix}/${logId}`;
}

/**
 * Origin of the log in its checkpoints, and name of its keys. It is the log's name, and from the
 * second epoch on `<name>/<epoch>`. A new epoch begins a new tree, which its followers treat as
 * another log, since it may lack earlier events.
 */
export function originOf({ name, epoch }: Pick<NamedLog, 'name' | 'epoch'>): string {
  return epoch === 1 ? name : `${name}/${epoch}`;
}

/** The epoch that an origin states; 0 if the origin does not name one of our logs. */
export function epochOf(origin: string): number {
  return parseOrigin(origin)?.epoch ?? 0;
}

/** Parses an origin; null if it does not have the form of ours. */
export function parseOrigin(origin: string): NamedLog | null {
  const [, prefix = '', logId = '', digits = '1'] =
    /^([^\s+]+)\/([0-9A-Z]{26})(?:\/([1-9]\d{0,8}))?$/.exec(origin) ?? [];
  const named = { name: logName(logId, prefix), logId, epoch: Number(digits) };
  return isUlid(logId) && originOf(named) === origin ? named : null;
}
