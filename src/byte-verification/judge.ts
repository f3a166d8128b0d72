import type { Verdict } from './contract.ts';
import { type Signature, signatureOf } from './signatures.ts';

/** What is to be asked of the bytes under this extension; null: nothing. */
export function judgeOf(extension: string): ((found: string | null) => Verdict) | null {
  const signature = signatureOf(extension);
  if (signature === null) return null;
  return (found) => {
    if (passes(signature, found)) return { status: 'verified' };
    return { status: 'mismatch', expected: extension, found };
  };
}

function passes({ accepted, required }: Signature, found: string | null): boolean {
  return found === null ? !required : accepted.has(found);
}
