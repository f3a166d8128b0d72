import { InvalidArgumentError } from 'commander';
import { Refusal } from '../../src/domain/refusal.ts';
import type { StorageAllowance } from '../../src/domain/storage/storage-allowance.ts';
import { isUlid } from '../../src/domain/ulid.ts';

/**
 * Turns a parser of the domain into one of commander, which adds the option's name to its refusal.
 */
export function checked<Value>(parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof Refusal) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

/** Reads a whole number; the domain checks its range. */
export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Reads a whole number of at least 1. */
export function positiveNumber(text: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

/** Reads a whole number of seconds, from 1 to those of a day. Node's timers end at 24.8 days. */
export function secondsOfDay(text: string): number {
  const seconds = positiveNumber(text);
  if (seconds <= 86_400) return seconds;
  throw new InvalidArgumentError('It must be at most 86400, a day.');
}

export function wholeNumberOrUnlimited(text: string): number | null {
  if (text === 'unlimited') return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number or "unlimited".');
}

/** Reads a number of bytes, such as `500000000`, `500MB` or `500MiB`. */
function bytes(text: string): number | null {
  const [, digits = '', unit = ''] = /^(\d{1,15})([KMGT]i?B)?$/.exec(text) ?? [];
  if (digits === '') return null;
  const power = ' KMGT'.indexOf(unit[0] ?? ' ');
  const value = Number(digits) * (unit[1] === 'i' ? 1_024 : 1_000) ** power;
  return Number.isSafeInteger(value) ? value : null;
}

export function bytesOrWord(text: string): StorageAllowance {
  if (text === 'unlimited' || text === 'default') return text;
  const value = bytes(text);
  if (value !== null) return value;
  throw new InvalidArgumentError(
    'It must be a number of bytes, such as 500000000, 500MB or 500MiB, "unlimited" or "default".',
  );
}

/** Returns the word itself, since commander takes null for an option without a value. */
export function wholeNumberOrDefault(text: string): number | 'default' {
  if (text === 'default') return text;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number or "default".');
}

export function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError('It must be "on" or "off".');
}

/** Parses an id of this service; the caller chooses its type. */
export function idArgument<Id extends string>(text: string): Id {
  if (isUlid(text)) return text as Id;
  throw new InvalidArgumentError('It must be an id: 26 capital letters and digits.');
}

export function commaSeparated(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}
