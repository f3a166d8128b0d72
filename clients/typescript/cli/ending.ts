import { ProofmarkError } from '../src/errors.ts';

/** Exit codes of the command line (docs/api.md). */
export const exitCodes = {
  done: 0,
  notProven: 1,
  wrongUse: 2,
  service: 3,
  later: 4,
  fault: 70,
  interrupted: 130,
  outputClosed: 141,
} as const;

/** Codes of failures of the service that may come without a status. */
const ofService: readonly string[] = ['CONNECTION_FAILED', 'UNEXPECTED_ANSWER'];

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof ProofmarkError)) return exitCodes.fault;
  if (error.code === 'FILE_NOT_READABLE' || error.code === 'FILE_CHANGED') {
    return exitCodes.notProven;
  }
  if (ofService.includes(error.code) || error.status !== null) {
    return error.retry === 'later' ? exitCodes.later : exitCodes.service;
  }
  return exitCodes.wrongUse;
}

const advice: Readonly<Record<string, string>> = {
  CONNECTION_FAILED: 'check the address (--server or PROOFMARK_SERVER) and the network',
  INVALID_API_KEY: 'check the key in PROOFMARK_API_KEY or in the file of --key-file',
  SCOPE_NOT_PERMITTED: 'use a key with the scope that the message names',
  FILE_CHANGED: 'prove it again when no program writes to it',
};

/** Message for the person who must act, with advice if there is any. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ProofmarkError)) {
    return `this is a fault of the program: ${error instanceof Error ? error.stack : String(error)}`;
  }
  const { code, message, requestId } = error;
  const hint = advice[code] === undefined ? '' : `: ${advice[code]}`;
  const call = requestId === null ? '' : ` (${code}, request ${requestId})`;
  return `${message}${hint}${call}`;
}

export function wrongUse(message: string): ProofmarkError {
  return new ProofmarkError('INVALID_OPTION', message);
}
