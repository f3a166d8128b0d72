import tap from 'tap';
import { apiContract } from './api-contract.ts';
import type { Exchange } from './exchange.ts';

/** Fails the file, not a test: the test may have ended before the answer does. */
export function failOnBreaches(exchange: Exchange): void {
  for (const breach of apiContract()(exchange)) {
    tap.fail(`the OpenAPI document does not describe this answer: ${breach}`);
  }
}
