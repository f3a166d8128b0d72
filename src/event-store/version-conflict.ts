/** One stream of a refused append: somebody else appended to it first. */
export interface StreamConflict {
  readonly stream: string;
  readonly expected: number;
  readonly actual: number;
}

/** An append was refused whole because streams were not at the expected versions: load and decide again. */
export class VersionConflict extends Error {
  readonly conflicts: readonly StreamConflict[];

  constructor(conflicts: readonly StreamConflict[]) {
    const list = conflicts.map((c) => `${c.stream} is at ${c.actual}, expected ${c.expected}`);
    super(`version conflict: ${list.join('; ')}`);
    this.name = 'VersionConflict';
    this.conflicts = conflicts;
  }
}
