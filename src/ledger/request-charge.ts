/** Limits that a server sets for a client's load: its average charge per second. */
export interface ChargeLimits {
  /** From this balance on, answers carry `warning: load`, once a second. */
  readonly warning: number;
  /** Charge of each warning. */
  readonly perWarning: number;
  /** At this balance the connection is closed with 1008. */
  readonly drop: number;
  /** Charge of being dropped. */
  readonly perDrop: number;
}

/** Seconds of rippled's decaying average (Resource::Tuning, decayWindowSeconds). */
export const chargeWindowSeconds = 32;

const reference = 20;
const medium = 400;
const mediumCommands = new Set(['submit', 'account_tx']);

/**
 * Charge of a request that this service makes, at a port for strangers (rippled, Resource::Fees and
 * the handlers of the commands). Subscriptions are charged only when they begin. A whole ledger with
 * its transactions costs as little as its header.
 */
export function chargeOf(command: string): number {
  return mediumCommands.has(command) ? medium : reference;
}

/** Charge of a submission. */
export const submissionCharge: number = chargeOf('submit');

/** Limits of rippled since 2.3.1 (Resource::Tuning and Fees). */
export const presentLimits: ChargeLimits = {
  warning: 5_000,
  perWarning: 4_000,
  drop: 25_000,
  perDrop: 6_000,
};

/** Limits of rippled up to 2.3.0: measured on 2.3.0-b4, and in its source. */
export const earlierLimits: ChargeLimits = {
  warning: 5_000,
  perWarning: 2_000,
  drop: 15_000,
  perDrop: 3_000,
};

/**
 * Limits of a server with this `build_version`, such as `2.3.0-b4` or `3.4.1`. A server of which the
 * version is unknown is taken for a present one: older ones are amendment blocked.
 */
export function chargeLimitsOf(version: string | undefined): ChargeLimits {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (parts.length === 0) return presentLimits;
  const [major = 0, minor = 0, patch = 0] = parts.map(Number);
  const isEarlier = major * 1e6 + minor * 1e3 + patch < 2_003_001;
  return isEarlier ? earlierLimits : presentLimits;
}
