/** A part of a text. */
export type Span = { readonly start: number; readonly end: number }
