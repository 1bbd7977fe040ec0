import type { JsonValue } from "@byleave/core"
import { jsonSyntax } from "./json-syntax.ts"
import type { PlacedList, PlacedMap } from "./placed-tree.ts"
import { tomlSyntax } from "./toml-syntax.ts"
import { yamlSyntax } from "./yaml-syntax.ts"

export type ReadPlaced =
  | { readonly ok: true; readonly root: PlacedMap }
  | { readonly ok: false; readonly line: number; readonly message: string }

/** Characters put into a text. */
export type Insertion = { readonly at: number; readonly text: string }

/** A language of configuration files: how it is read with places, and how something is added to it. */
export type FileSyntax = {
  readonly read: (text: string) => ReadPlaced
  /** Whether a map's own text can be read, and changed, by itself. */
  readonly mapsStandAlone: boolean
  readonly value: (value: JsonValue) => string
  /** A key with its value, on one line. */
  readonly pair: (key: string, value: JsonValue) => string
  /** Undefined where the layout cannot be followed. */
  readonly addPair: (text: string, map: PlacedMap, key: string, value: JsonValue) => Insertion | undefined
  readonly addItems: (
    text: string,
    list: PlacedList,
    items: readonly string[],
    where: "first" | "last",
  ) => Insertion | undefined
}

export type SyntaxName = "json" | "toml" | "yaml"

export const fileSyntaxes = {
  json: jsonSyntax,
  toml: tomlSyntax,
  yaml: yamlSyntax,
} as const satisfies Record<SyntaxName, FileSyntax>
