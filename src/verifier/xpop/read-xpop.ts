import { BadEvidence } from '../evidence/bad-evidence.ts';
import { isNestedDeeper } from './is-nested-deeper.ts';
import type { Xpop } from './xpop.ts';

/** An XPOP with a whole tree of some hundred transactions has 100 kB. */
export const maxXpopBytes = 1_024 * 1_024;

/**
 * Reads an XPOP from untrusted text. Throws `BadEvidence` if a member is missing or of another
 * type. Members that are not needed are ignored, as other writers may add some. The tree's form is
 * checked while it is hashed.
 */
export function readXpop(text: string): Xpop {
  if (text.length > maxXpopBytes) throw malformed(`is larger than ${maxXpopBytes} bytes`);
  if (isNestedDeeper(text, maxNesting)) throw malformed('is nested too deeply');
  const { ledger, validation, transaction } = members(parse(text), 'the XPOP');
  const header = members(ledger, 'ledger');
  const { data, unl } = members(validation, 'validation');
  const { blob, meta, proof } = members(transaction, 'transaction');
  const validations = Object.entries(members(data, 'validation.data'));
  if (validations.length > maxValidations) throw malformed('has too many validations');
  if (typeof proof !== 'object' || proof === null) throw malformed('lacks the path');
  return {
    ledger: {
      index: uint(header.index, 'ledger.index'),
      coins: coins(header.coins),
      phash: hash(header.phash, 'ledger.phash'),
      txroot: hash(header.txroot, 'ledger.txroot'),
      acroot: hash(header.acroot, 'ledger.acroot'),
      pclose: uint(header.pclose, 'ledger.pclose'),
      close: uint(header.close, 'ledger.close'),
      cres: uint(header.cres, 'ledger.cres', 0xff),
      flags: uint(header.flags, 'ledger.flags', 0xff),
    },
    validation: {
      data: Object.fromEntries(
        validations.map(([key, value]) => [key, hex(value, 'a validation')]),
      ),
      unl: members(unl, 'validation.unl'),
    },
    transaction: {
      blob: hex(blob, 'transaction.blob'),
      meta: hex(meta, 'transaction.meta'),
      // `hashProof` checks the form of every node.
      proof: proof as Xpop['transaction']['proof'],
    },
  };
}

const maxValidations = 256;

/** A tree has 64 levels at most, each of a node and its children. */
const maxNesting = 256;

/** Keeps the text of numbers that a double cannot hold, so that `coins` may be a number. */
function parse(text: string): unknown {
  const keepText = (name: string, value: unknown, context?: { readonly source?: string }) =>
    name === 'coins' && typeof value === 'number' ? (context?.source ?? value) : value;
  try {
    // TypeScript does not know the third parameter of the function yet.
    return JSON.parse(text, keepText as (name: string, value: unknown) => unknown);
  } catch (cause) {
    throw new BadEvidence('malformed', 'the XPOP is no JSON text', { cause });
  }
}

function members(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw malformed(`has no object as ${what}`);
}

function hex(value: unknown, what: string): string {
  if (typeof value === 'string' && /^(?:[A-Fa-f0-9]{2})+$/.test(value)) return value;
  throw malformed(`has no bytes in hex as ${what}`);
}

function hash(value: unknown, what: string): string {
  const text = hex(value, what);
  if (text.length === 64) return text;
  throw malformed(`has no hash as ${what}`);
}

function uint(value: unknown, what: string, max = 0xffff_ffff): number {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max) return Number(value);
  throw malformed(`has no number as ${what}`);
}

function coins(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^\d{1,19}$/.test(text)) return text;
  throw malformed('has no number as ledger.coins');
}

function malformed(why: string): BadEvidence {
  return new BadEvidence('malformed', `the XPOP ${why}`);
}
