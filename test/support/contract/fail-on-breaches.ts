import tap from 'tap';
import { apiContract } from './api-contract.ts';
import type { Exchange } from './exchange.ts';

/** Of the file and not of one test, which may have ended when the answer is out. */
export function failOnBreaches(exchange: Exchange): void {
  for (const breach of apiContract()(exchange)) {
    tap.fail(`the OpenAPI document does not describe this answer: ${breach}`);
  }
}
