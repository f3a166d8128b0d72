import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { newUlid } from '../event-store/new-ulid.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { Parts } from './parts.ts';

/** Dependencies of the parts. `fail` stops the program with an error. */
export interface Program {
  readonly config: Config;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly parts: Parts;
  readonly draining: AbortSignal;
  readonly fail: (error: unknown) => void;
}

export const newId = newUlid;
export const now = () => new Date();
