import { z } from 'zod';

/** A variable read by `parse`, which throws a `Mistake` or several (`AggregateError`). */
export function variable<Value>(parse: (text: string) => Value) {
  return z.string().transform((text, context): Value => {
    try {
      return parse(text);
    } catch (error) {
      const mistakes: unknown[] = error instanceof AggregateError ? error.errors : [error];
      for (const mistake of mistakes) {
        if (!(mistake instanceof Mistake)) throw error;
        context.addIssue({ code: 'custom', message: mistake.message });
      }
      return z.NEVER;
    }
  });
}

/** A mistake in a value. The message continues the variable's name. */
export class Mistake extends Error {}

export function wholeNumberVariable(from: number, to: number) {
  return variable((text) => parseWholeNumber(text, from, to));
}

export function parseWholeNumber(text: string, from: number, to: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new Mistake(`must be a whole number from ${from} to ${to}, not ${JSON.stringify(text)}`);
}

export function parseList(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.includes('')) throw new Mistake('has an empty entry: separate entries by one comma');
  if (new Set(entries).size < entries.length) throw new Mistake('names one entry twice');
  return entries;
}

export function oneOf<Word extends string>(words: readonly Word[], text: string): Word {
  const word = words.find((candidate) => candidate === text);
  if (word !== undefined) return word;
  throw new Mistake(`must be one of ${words.join(', ')}, not ${JSON.stringify(text)}`);
}

export function parseUrl(text: string, protocols: readonly string[], form: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text);
    if (protocols.includes(url.protocol)) return url;
  }
  throw new Mistake(`must be ${form}`);
}

export function parseSwitch(text: string): boolean {
  return switchedOn.includes(oneOf([...switchedOn, 'false', '0'], text));
}

export const switchedOn: readonly string[] = ['true', '1'];
