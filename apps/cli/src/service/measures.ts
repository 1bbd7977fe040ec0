import type { Gateway } from "@byleave/gateway"
import type { Measure } from "@byleave/server"

/** Numbers of the gateway and of this process, for `/metrics`. */
export function measuresOf(gateway: Gateway): readonly Measure[] {
  const { conversations, open, links } = gateway.counts()
  const gauge = (name: string, help: string, value: number): Measure => ({ name, help, type: "gauge", value })
  return [
    gauge("byleave_conversations", "Legacy conversations this process serves.", conversations),
    gauge("byleave_open_exchanges", "Requests that wait for their reply.", open),
    gauge("byleave_links", "Connections to servers.", links),
    gauge("byleave_resident_bytes", "Memory this process holds.", process.memoryUsage.rss()),
  ]
}
