import pg from 'pg';
import { test } from 'tap';
import { byteaArray, intArray, textArray } from '../../src/event-store/binary-array.ts';
import { createTestDatabase } from '../support/database.ts';

const texts = ['', 'plain', 'NULL', '{}', 'a,"b"\\c', 'ä€😀', null, ' \t\n'];

test('PostgreSQL reads binary arrays as the values they were made from', async (t) => {
  const client = new pg.Client({
    connectionString: (await createTestDatabase(t, { migrate: false })).url,
  });
  await client.connect();
  t.teardown(() => client.end());
  const read = async (type: string, values: Buffer) => {
    const { rows } = await client.query(`SELECT $1::${type}[] AS found`, [values]);
    return rows[0].found;
  };
  t.strictSame(await read('text', textArray(texts)), texts);
  t.strictSame(await read('int', intArray([0, -1, 2 ** 31 - 1])), [0, -1, 2 ** 31 - 1]);
  const bytes = [Buffer.alloc(0), Buffer.from([0, 255, 92])];
  t.strictSame(await read('bytea', byteaArray(bytes)), bytes);
});
