import { createHash } from 'node:crypto';
import type { DomainEvent } from '../../src/domain/events.ts';

/** An event, and the stream that it is for. */
export interface Placed {
  readonly stream: string;
  readonly event: DomainEvent;
}

/** What stands for the SHA-256 of something that a benchmark does not have. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
