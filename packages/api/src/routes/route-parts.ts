/** The shared parts of routes: how their addresses and queries are read. */
import { z } from "zod"
import { epochMs } from "../json.ts"

export const id = z.object({ id: z.string() })
export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item).readonly() })
export const limit = z.coerce.number<number | string>().int().min(1).max(500).default(100)
export const after = z.string().exactOptional()
export const time = z.coerce.number<number | string>().pipe(epochMs).exactOptional()
export const duration = z.coerce.number<number | string>().min(0).exactOptional()
/** `a,b,c` */
export const someOf = <const Value extends string>(values: readonly Value[]) =>
  z
    .string()
    .transform((list) => list.split(","))
    .pipe(z.array(z.enum(values)))
    .exactOptional()
