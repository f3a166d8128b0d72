import { sql, type Transaction } from 'kysely';

/** Rolls back to a savepoint if the work fails, so that the transaction can continue. */
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
