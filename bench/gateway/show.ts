// `node bench/gateway/show.ts http lean [quick] [targets]`: one field alone, for work on it.
import type { ClientKind } from "./clients/bench-client.ts"
import { type FieldName, measureField } from "./field.ts"
import { summaries } from "./summary.ts"

const [field = "http", kind = "lean", speed = "quick", only = ""] = process.argv.slice(2)
const numbers = await measureField(field as FieldName, kind as ClientKind, speed === "full" ? "full" : "quick", only)
console.table(summaries(numbers))
