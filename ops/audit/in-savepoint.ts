import { sql, type Transaction } from 'kysely';

/** Undoes all that the work did where it fails; the transaction goes on. */
export async function inSavepoint<Tables, Result>(
  trx: Transaction<Tables>,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql`SAVEPOINT attempt`.execute(trx);
  try {
    const result = await work();
    await sql`RELEASE SAVEPOINT attempt`.execute(trx);
    return result;
  } catch (error) {
    await sql`ROLLBACK TO SAVEPOINT attempt`.execute(trx);
    throw error;
  }
}
