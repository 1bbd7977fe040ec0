import { ShownText } from "@byleave/ui"
import type { ReactNode } from "react"

const mostCounts = 6

type CallCountsProps = { readonly name: string; readonly counts: ReadonlyArray<readonly [what: string, calls: number]> }

/** `Tools: files(write_file) (12), files(read_file) (3)` */
export function CallCounts({ name, counts }: CallCountsProps): ReactNode {
  return (
    <p>
      {name}:{" "}
      {counts.slice(0, mostCounts).map(([what, calls], at) => (
        <span key={what}>
          {at > 0 && ", "}
          <code>
            <ShownText text={what} />
          </code>{" "}
          ({calls})
        </span>
      ))}
      {counts.length > mostCounts && ` and ${counts.length - mostCounts} more`}
    </p>
  )
}
