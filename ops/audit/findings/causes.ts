import type { Fault } from './fault.ts';

/** A damaged or missing event that other findings may follow from. */
export interface Cause {
  /** As listed. */
  fault: Fault;
  /** Types of the event that are possible; null if any. */
  readonly types: readonly string[] | null;
}

/** Known facts of a damaged event. */
export interface DamagedNames {
  readonly streams: readonly string[];
  /** As found. */
  readonly data?: string;
  /** Organisations, as found and as it was. */
  readonly owners?: readonly (string | null)[];
}

/** The place of a finding that may follow from a damaged event. */
export interface Related {
  readonly position?: number | null;
  readonly streams?: readonly string[];
  /** Ids that a damaged event may have named, such as the key of a row. */
  readonly ids?: readonly string[];
  /** Types of events that the finding depends on; with `ids`. */
  readonly types?: readonly string[];
}

/** Damaged events that are kept; a log with more of them is damaged throughout. */
const mostCauses = 1_000;
const mostIds = 100;
/** Longer damaged data are not searched to their end. */
const mostCharacters = 65_536;

/** Finds the damaged event that a finding follows from. */
export class Causes {
  readonly #byPosition = new Map<number, Cause>();
  readonly #byStream = new Map<string, Cause>();
  readonly #byId = new Map<string, Cause[]>();
  #count = 0;
  #unnamed: Cause | null = null;

  /** @param names streams of the damaged event, and its data as found */
  add(cause: Cause, names: DamagedNames): void {
    const { position } = cause.fault;
    if (this.#count === mostCauses) return;
    this.#count += 1;
    if (position !== null && !this.#byPosition.has(position)) {
      this.#byPosition.set(position, cause);
    }
    for (const stream of names.streams) this.addStream(cause, stream);
    for (const id of idsIn(names.data ?? '')) this.#addId(cause, id);
    if (position !== null) this.#addId(cause, idOfPosition(position));
    for (const owner of new Set(names.owners)) if (owner) this.#addId(cause, idOfOwner(owner));
  }

  addStream(cause: Cause, stream: string): void {
    if (!this.#byStream.has(stream)) this.#byStream.set(stream, cause);
    this.#addId(cause, idOf(stream));
  }

  /** The cause is an event of which nothing is known: any row may follow from it. */
  addUnnamed(cause: Cause): void {
    this.#unnamed ??= cause;
  }

  find({ position, streams = [], ids, types = [] }: Related): Cause | null {
    const own = this.#byPosition.get(position ?? -1);
    if (own !== undefined) return own;
    for (const stream of streams) {
      const cause = this.#byStream.get(stream);
      if (cause !== undefined) return cause;
    }
    if (ids === undefined) return null;
    for (const id of ids) {
      const named = this.#byId.get(normal(id)) ?? [];
      const cause = named.find((one) => one.types?.some((type) => types.includes(type)) ?? true);
      if (cause !== undefined) return cause;
    }
    return this.#unnamed;
  }

  #addId(cause: Cause, id: string): void {
    const named = this.#byId.get(normal(id)) ?? [];
    if (named.length < mostCauses) this.#byId.set(normal(id), [...named, cause]);
  }
}

/** Id at the end of the name of a stream. */
function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

/** Ids and hashes in the data of an event. Owners are left out: most rows have the same ones. */
function idsIn(data: string): readonly string[] {
  try {
    return Object.entries(JSON.parse(data) as object)
      .filter(([name]) => name !== 'organisationId' && name !== 'workspaceId')
      .map(([, value]) => value)
      .filter((value) => typeof value === 'string' && /^\w{20,100}$/.test(value))
      .slice(0, mostIds);
  } catch {
    return (
      data
        .slice(0, mostCharacters)
        .match(/\w{20,100}/g)
        ?.slice(0, mostIds) ?? []
    );
  }
}

function idOfPosition(position: number | string): string {
  return `position ${position}`;
}

function idOfOwner(organisationId: string): string {
  return `owner ${organisationId}`;
}

/**
 * Ids in the key of a row, as `Related.ids`. Most events name the owner, so it counts only for a row
 * about the owner itself, and for a sum over several things of the owner.
 */
export function idsOfKey(key: Readonly<Record<string, string>>): readonly string[] {
  const columns = Object.entries(key).map(([column, value]) => ({ column, value }));
  if (columns.length === 1) return columns.map(({ value }) => value);
  const own = columns.filter(({ column }) => !owners.includes(column));
  const ids = own.map(({ column, value }) => (column === 'position' ? idOfPosition(value) : value));
  const isSum = !own.some(({ column, value }) => column === 'position' || isId(value));
  return isSum ? [...ids, idOfOwner(key.organisation_id ?? '')] : ids;
}

const owners = ['organisation_id', 'workspace_id'];

function isId(value: string): boolean {
  return /^(\\x)?\w{20,}$/.test(value);
}

/** PostgreSQL writes bytes as `\x` and lower-case hexadecimal. */
function normal(id: string): string {
  return id.replace(/^\\x/, '').toLowerCase();
}
