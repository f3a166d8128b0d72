/** A fact without its envelope. */
export interface EventOf<Type extends string, Data extends object> {
  readonly type: Type;
  readonly data: Data;
}

/**
 * A fact as the log holds it. `recordedAt` is the time of the append, `YYYY-MM-DDTHH:MM:SS.sssZ`.
 * `erased` is true if the organisation's keys were destroyed. The confidential fields of `data` are
 * then absent, and only the clear ones may be read.
 */
export type Recorded<Event> = Event & {
  readonly recordedAt: string;
  readonly erased?: boolean;
};

/**
 * Storage of one type of event. `schema` is the present number. `clear` names the fields of
 * `data` that are stored in clear; all other fields are confidential and are encrypted. `upcasts`
 * converts data from an older schema n to n + 1. `downcast` converts data to the schema before, if
 * that has a form for them, and returns null otherwise. Data are then written in that form, which
 * processes of the previous release can read.
 */
export interface EventDefinition<Data> {
  readonly schema: number;
  readonly clear: readonly (keyof Data & string)[] | ((data: Data) => readonly string[]);
  readonly upcasts?: Readonly<
    Record<number, (data: Record<string, unknown>) => Record<string, unknown>>
  >;
  readonly downcast?: (data: Data) => object | null;
}

/** One definition for every member of a union of events, checked by the compiler. */
export type DefinitionsOf<Event extends EventOf<string, object>> = {
  readonly [Type in Event['type']]: EventDefinition<Extract<Event, { type: Type }>['data']>;
};
