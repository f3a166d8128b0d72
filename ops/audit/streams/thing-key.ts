import type { Kind } from './references.ts';
import { writeHashNumbers } from './stream-key.ts';
import { idNumbers, writeUlidNumbers } from './ulid-numbers.ts';

/** Numbers of the key of a thing that events begin and name. */
export const thingNumbers = 1 + idNumbers;

/** Numbers of the kinds; 0 is for ids that are no ULIDs. */
const numbers: Readonly<Record<Kind, number>> = {
  organisation: 1,
  workspace: 2,
  key: 3,
  person: 4,
  webhook: 5,
  link: 6,
  proof: 7,
  document: 8,
  ledger: 9,
  log: 10,
  'validator list': 11,
  'time-stamp token': 12,
};
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Writes the key of a thing: its kind's number with its ULID, or 0 with a hash of any other id. */
export function writeThingKey(kind: Kind, id: string, keys: Uint32Array, at: number): void {
  if (id.length === 26 && ulid.test(id)) {
    keys[at] = numbers[kind];
    writeUlidNumbers(id, keys, at + 1);
  } else {
    keys[at] = 0;
    writeHashNumbers(`${kind} ${id}`, keys, at + 1, idNumbers);
  }
}
