import type { DomainEvent } from '../../src/domain/events.ts';
import type { StreamName } from '../../src/domain/stream-name.ts';

/** A stream by any name, also one that the domain would not give. */
export function streamNamed(name: string): StreamName<DomainEvent> {
  return name as StreamName<DomainEvent>;
}
