import type { Verifier } from './contract.ts';

/** Built from the modules that the service shares with its page and its commands. */
export declare const verifier: Verifier;
