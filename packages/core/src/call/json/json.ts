/** A number whose double would not be the number that was written; `JSON.stringify` gives its source text back. */
export type RawNumber = { readonly rawJSON: string }

export type JsonValue = null | boolean | number | string | RawNumber | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [key: string]: JsonValue }
