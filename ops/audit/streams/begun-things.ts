import type { DatabaseSync } from 'node:sqlite';
import { KeyTable } from '../bounded/key-table.ts';
import { StoredKeys } from '../bounded/stored-keys.ts';
import type { Kind } from './references.ts';
import { thingNumbers, writeThingKey } from './thing-key.ts';

/** A million things: 40 MiB. More are in a temporary file. */
const mostSlots = 2_097_152;

/** Everything that events have begun, with the number of its owner. */
export class BegunThings {
  readonly #owners: StoredKeys;
  readonly #thing = new Uint32Array(thingNumbers);
  /** Numbers of organisations, from 1; 0 stands for none. */
  readonly #numbers = new Map<string, number>();

  constructor(db: DatabaseSync) {
    this.#owners = new StoredKeys(db, 'things', new KeyTable(thingNumbers, mostSlots));
  }

  /** Begins a thing. Returns false, and keeps its first owner, if it has begun already. */
  begin(kind: Kind, id: string, owner: number): boolean {
    writeThingKey(kind, id, this.#thing, 0);
    return this.beginKey(this.#thing, 0, owner);
  }

  /** As `begin`, for the thing with the key at `at` in `keys`. */
  beginKey(keys: Uint32Array, at: number, owner: number): boolean {
    if (this.#owners.get(keys, at) !== null) return false;
    this.#owners.set(keys, at, owner);
    return true;
  }

  /** Number of the owner; null for what no event so far begins. */
  ownerOf(kind: Kind, id: string): number | null {
    writeThingKey(kind, id, this.#thing, 0);
    return this.#owners.get(this.#thing, 0);
  }

  /** As `ownerOf`, for the thing with the key at `at` in `keys`. */
  ownerOfKey(keys: Uint32Array, at: number): number | null {
    return this.#owners.get(keys, at);
  }

  /** Number of an organisation; 0 for none. */
  numberOf(owner: string | null): number {
    if (owner === null) return 0;
    const given = this.#numbers.get(owner);
    if (given !== undefined) return given;
    const number = this.#numbers.size + 1;
    this.#numbers.set(owner, number);
    return number;
  }
}

/** True if an event of the second owner may name a thing of the first: 0 stands for no owner. */
export function mayName(thingOwner: number, owner: number): boolean {
  return thingOwner === 0 || owner === 0 || thingOwner === owner;
}
