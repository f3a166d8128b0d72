/** Schema of a JSON value, as data. `readForm` checks values against it. */
export type Form<Value = unknown> = Shape & { readonly [jsonValue]?: Value };

declare const jsonValue: unique symbol;
/** Type of the values that match a form. */
export type ValueOf<F> = F extends { readonly [jsonValue]?: infer Value } ? Value : never;

export type Shape = Kind & { readonly description?: string };

type Kind =
  | {
      readonly kind: 'text';
      readonly maxLength?: number;
      readonly pattern?: RegExp;
      readonly format?: 'date-time';
    }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' }
  | { readonly kind: 'null' }
  | { readonly kind: 'choice'; readonly values: readonly (string | number)[] }
  | { readonly kind: 'nullable'; readonly of: Shape }
  | { readonly kind: 'list'; readonly of: Shape; readonly maxLength: number }
  | ObjectShape
  | { readonly kind: 'either'; readonly by: string; readonly shapes: readonly ObjectShape[] };

/** An object with exactly these members. */
export interface ObjectShape {
  readonly kind: 'object';
  readonly members: Readonly<Record<string, Shape>>;
  readonly description?: string;
}

type TextRules = Omit<Extract<Kind, { kind: 'text' }>, 'kind'>;

export function text(rules: TextRules): Form<string> {
  return { kind: 'text', ...rules };
}

export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Form<number> {
  return { kind: 'integer', min, max };
}

export const flag: Form<boolean> = { kind: 'flag' };
export const nothing: Form<null> = { kind: 'null' };

export function choice<const Values extends readonly (string | number)[]>(
  ...values: Values
): Form<Values[number]> {
  return { kind: 'choice', values };
}

export function nullable<Value>(of: Form<Value>): Form<Value | null> {
  return { kind: 'nullable', of };
}

export function list<Value>(of: Form<Value>, maxLength: number): Form<readonly Value[]> {
  return { kind: 'list', of, maxLength };
}

type Members = Readonly<Record<string, Shape>>;
type ObjectForm<M> = ObjectShape & {
  readonly [jsonValue]?: { readonly [Name in keyof M]: ValueOf<M[Name]> };
};

export function object<const M extends Members>(members: M): ObjectForm<M> {
  return { kind: 'object', members };
}

/** One of several objects, distinguished by the value of their member `by`. */
export function either<const Forms extends readonly ObjectShape[]>(
  by: string,
  ...shapes: Forms
): Form<ValueOf<Forms[number]>> {
  return { kind: 'either', by, shapes };
}

export function described<F extends Shape>(form: F, description: string): F {
  return { ...form, description };
}
