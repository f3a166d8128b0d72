/**
 * Verifies texts of strangers, one after the other, in a process with little else in memory. Reads a
 * `HostileText` from each line of a file, and prints a `MeasuredText` for each.
 */
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { BadToken } from '../../src/timestamps/bad-token.ts';
import { verifyToken } from '../../src/timestamps/verify-token.ts';
import type { Bundle } from '../../src/verifier/bundle/bundle.ts';
import { NoBundle } from '../../src/verifier/bundle/no-bundle.ts';
import { readBundle } from '../../src/verifier/bundle/read-bundle.ts';
import {
  checkAttestation,
  isProvenByValidators,
} from '../../src/verifier/check/check-attestation.ts';
import { checkHeader } from '../../src/verifier/check/check-header.ts';
import { isStamped, stampedCheckpoint } from '../../src/verifier/check/check-timestamp.ts';
import { BadEvidence } from '../../src/verifier/evidence/bad-evidence.ts';
import { readXpop } from '../../src/verifier/xpop/read-xpop.ts';
import { verifyXpop } from '../../src/verifier/xpop/verify-xpop.ts';

export interface HostileText {
  readonly what: string;
  readonly form: 'xpop' | 'bundle';
  readonly text: string;
  readonly keys: readonly string[];
  /** Trusted certificate (DER in base64), for a bundle whose time-stamp token is verified instead. */
  readonly root?: string;
}

export interface MeasuredText {
  readonly what: string;
  readonly isAccepted: boolean;
  /** Processor time. */
  readonly ms: number;
  /** Greatest resident memory during the verification, above that before it. */
  readonly bytes: number;
}

async function isAccepted({ form, text, keys, root }: HostileText): Promise<boolean> {
  try {
    if (form === 'xpop') return verifyXpop(readXpop(text), keys).counted.length > 0;
    const bundle = readBundle(text);
    if (root !== undefined) return await isStampedBy(bundle, Buffer.from(root, 'base64'));
    const isHeader = checkHeader(bundle).every(({ outcome }) => outcome === 'ok');
    return isHeader && isProvenByValidators(checkAttestation(bundle, keys));
  } catch (error) {
    if (error instanceof NoBundle || error instanceof BadEvidence) return false;
    if (error instanceof BadToken) return false;
    throw error;
  }
}

async function isStampedBy(bundle: Bundle, root: Uint8Array): Promise<boolean> {
  if (!isStamped(bundle)) return false;
  const { token, text } = stampedCheckpoint(bundle);
  const { time } = await verifyToken(token, { data: text, roots: [root] });
  return time !== '';
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

async function measure(hostile: HostileText): Promise<MeasuredText> {
  globalThis.gc?.();
  forgetPeak();
  const before = memory();
  const start = process.cpuUsage();
  const accepted = await isAccepted(hostile);
  const { user, system } = process.cpuUsage(start);
  const bytes = Math.max(0, memory().peak - before.now);
  return { what: hostile.what, isAccepted: accepted, ms: (user + system) / 1_000, bytes };
}

if (import.meta.main) {
  const lines = createInterface(createReadStream(process.argv[2] ?? ''));
  for await (const line of lines) {
    process.stdout.write(`${JSON.stringify(await measure(JSON.parse(line)))}\n`);
  }
}
