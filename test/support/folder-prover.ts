import { Proofmark } from '../../clients/typescript/src/proofmark.ts';

/** Proves a folder with the TypeScript client, in a process that a test may kill. Prints each result. */
const { SERVER = '', KEY = '', FOLDER = '', JOURNAL = '', BATCH = '1000' } = process.env;
const proofmark = new Proofmark({ server: SERVER, apiKey: KEY });
const options = { journal: JOURNAL, batchSize: Number(BATCH) };
for await (const result of proofmark.proveAll(FOLDER, options)) console.log(JSON.stringify(result));
