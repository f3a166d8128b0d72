declare const holds: unique symbol;

/** The name of a stream, typed by the events in it. */
export type StreamName<Event = unknown> = string & { readonly [holds]: Event };

/** The events in a stream of this name. */
export type EventsIn<Name> = Name extends StreamName<infer Event> ? Event : never;
