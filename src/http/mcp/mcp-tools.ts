import {
  bundle,
  getProofStatus,
  listProofs,
  lookUpHash,
  proveHash,
  verify,
} from './proof-tools.ts';
import { recordRun } from './run-tools.ts';
import type { Tool } from './tool.ts';

/** Every tool. None reads or changes keys or webhooks. */
export const mcpTools: readonly Tool[] = [
  proveHash,
  lookUpHash,
  getProofStatus,
  verify,
  bundle,
  listProofs,
  recordRun,
];
