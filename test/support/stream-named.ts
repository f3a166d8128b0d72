import type { DomainEvent } from '../../src/domain/events.ts';
import type { StreamName } from '../../src/domain/stream-name.ts';

/** A stream with any name, even one that the domain never gives. */
export function streamNamed(name: string): StreamName<DomainEvent> {
  return name as StreamName<DomainEvent>;
}
