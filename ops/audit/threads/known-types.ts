import type { EventDefinition } from '../../../src/domain/event.ts';
import { type DomainEvent, eventDefinitions } from '../../../src/domain/events.ts';
import { needOf, needs } from './needed-types.ts';

/** A type of event that this release knows. */
export interface KnownType {
  readonly text: DomainEvent['type'];
  readonly bytes: Buffer;
  /** Greatest known schema. */
  readonly schema: number;
  /** As `needOf`. */
  readonly need: number;
  /** True if its data have the close of a ledger. */
  readonly hasClosing: boolean;
}

/** Types by length, first and last byte. Finding one so costs less than decoding its name. */
const byBytes = Map.groupBy(
  Object.entries(eventDefinitions).map(([name, definition]): KnownType => {
    const text = name as DomainEvent['type'];
    const { schema = Number.POSITIVE_INFINITY } = definition as EventDefinition<object>;
    const [bytes, need] = [Buffer.from(text, 'latin1'), needOf(text)];
    return { text, bytes, schema, need, hasClosing: (need & needs.closing) !== 0 };
  }),
  ({ bytes }) => keyOf(bytes, 0, bytes.length),
);

/** The known type with this name; null for any other. */
export function knownTypeAt(bytes: Uint8Array, from: number, to: number): KnownType | null {
  for (const type of byBytes.get(keyOf(bytes, from, to)) ?? []) {
    if (isSame(bytes, from, to, type.bytes)) return type;
  }
  return null;
}

function keyOf(bytes: Uint8Array, from: number, to: number): number {
  return ((to - from) << 16) | ((bytes[from] as number) << 8) | (bytes[to - 1] as number);
}

/** True if these bytes are `known`. */
export function isSame(bytes: Uint8Array, from: number, to: number, known: Uint8Array): boolean {
  if (to - from !== known.length) return false;
  for (let n = 0; n < known.length; n += 1) if (bytes[from + n] !== known[n]) return false;
  return true;
}
