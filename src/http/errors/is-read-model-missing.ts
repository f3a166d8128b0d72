/**
 * True if a statement names a table or column that the database does not have: SQLSTATE 42P01 or
 * 42703 (PostgreSQL documentation, appendix A). The live build of a projection has an older version
 * until the build of this release has caught up with the log.
 */
export function isReadModelMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.has(error.code);
}

const codes: ReadonlySet<unknown> = new Set(['42P01', '42703']);
