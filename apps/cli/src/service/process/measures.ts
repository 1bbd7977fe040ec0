import type { Gateway } from "@byleave/gateway"
import type { Measure } from "@byleave/server"

/** Numbers of the gateway and of this process, for `/metrics`. `judged`: how many calls got which decision. */
export function measuresOf(gateway: Gateway, judged: ReadonlyMap<string, number>): readonly Measure[] {
  const { conversations, open, links } = gateway.counts()
  const gauge = (name: string, help: string, value: number): Measure => ({ name, help, type: "gauge", value })
  return [
    ...[...judged].map(([decision, value]) => ({
      name: "byleave_calls_total",
      help: "Calls by policy decision, since this process started.",
      type: "counter" as const,
      value,
      labels: new Map([["decision", decision]]),
    })),
    gauge("byleave_conversations", "Legacy conversations served by this process.", conversations),
    gauge("byleave_open_exchanges", "Requests waiting for a reply.", open),
    gauge("byleave_links", "Connections to servers.", links),
    gauge("byleave_resident_bytes", "Memory used by this process.", process.memoryUsage.rss()),
  ]
}
