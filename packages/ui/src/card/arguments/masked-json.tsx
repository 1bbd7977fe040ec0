import type { JsonValue } from "@byleave/core"
import { type ReactNode, useMemo } from "react"
import { valueTree } from "./arg-tree.ts"
import { ExactJson } from "./exact-json.tsx"
import { useSecrets } from "./secrets.ts"

/** A value as exact JSON; what looks like a secret in it is masked with its length until somebody wants to see it. */
export function MaskedJson({ value, label }: { readonly value: JsonValue; readonly label: string }): ReactNode {
  const tree = useMemo(() => valueTree(value), [value])
  return <ExactJson value={value} secrets={useSecrets(tree)} label={label} />
}
