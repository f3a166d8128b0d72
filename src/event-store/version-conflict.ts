/** One stream of a refused append, at another version than expected. */
export interface StreamConflict {
  readonly stream: string;
  readonly expected: number;
  readonly actual: number;
}

/**
 * The whole append was refused because streams were not at the expected versions. Load and decide
 * again.
 */
export class VersionConflict extends Error {
  readonly conflicts: readonly StreamConflict[];

  constructor(conflicts: readonly StreamConflict[]) {
    const list = conflicts.map((c) => `${c.stream} is at ${c.actual}, expected ${c.expected}`);
    super(`version conflict: ${list.join('; ')}`);
    this.name = 'VersionConflict';
    this.conflicts = conflicts;
  }
}
