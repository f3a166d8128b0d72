/**
 * Verifies texts of strangers, one after the other, in a process with little else in memory. Reads a
 * `HostileText` from each line of a file, and prints a `MeasuredText` for each.
 */
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { NoBundle } from '../../src/verifier/bundle/no-bundle.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import {
  checkAttestation,
  isProvenByValidators,
} from '../../src/verifier/check/check-attestation.ts';
import { checkHeader } from '../../src/verifier/check/check-header.ts';
import { BadEvidence } from '../../src/verifier/evidence/bad-evidence.ts';
import { readXpop } from '../../src/verifier/xpop/read-xpop.ts';
import { verifyXpop } from '../../src/verifier/xpop/verify-xpop.ts';

export interface HostileText {
  readonly what: string;
  readonly form: 'xpop' | 'bundle';
  readonly text: string;
  readonly keys: readonly string[];
}

export interface MeasuredText {
  readonly what: string;
  readonly isAccepted: boolean;
  /** Processor time. */
  readonly ms: number;
  /** Greatest resident memory during the verification, above that before it. */
  readonly bytes: number;
}

function isAccepted({ form, text, keys }: HostileText): boolean {
  try {
    if (form === 'xpop') return verifyXpop(readXpop(text), keys).counted.length > 0;
    const bundle = readBundle(text);
    const isHeader = checkHeader(bundle).every(({ outcome }) => outcome === 'ok');
    return isHeader && isProvenByValidators(checkAttestation(bundle, keys));
  } catch (error) {
    if (error instanceof NoBundle || error instanceof BadEvidence) return false;
    throw error;
  }
}

/** Resident memory now, and its maximum since `forgetPeak`, in bytes (proc(5)). */
function memory(): { readonly now: number; readonly peak: number } {
  const status = readFileSync('/proc/self/status', 'utf8');
  const kB = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  return { now: 1_024 * kB('VmRSS'), peak: 1_024 * kB('VmHWM') };
}

function forgetPeak(): void {
  writeFileSync('/proc/self/clear_refs', '5');
}

function measure(hostile: HostileText): MeasuredText {
  globalThis.gc?.();
  forgetPeak();
  const before = memory();
  const start = process.cpuUsage();
  const accepted = isAccepted(hostile);
  const { user, system } = process.cpuUsage(start);
  const bytes = Math.max(0, memory().peak - before.now);
  return { what: hostile.what, isAccepted: accepted, ms: (user + system) / 1_000, bytes };
}

if (import.meta.main) {
  const lines = createInterface(createReadStream(process.argv[2] ?? ''));
  for await (const line of lines) {
    process.stdout.write(`${JSON.stringify(measure(JSON.parse(line)))}\n`);
  }
}
