import { openApiDocument } from "@byleave/api"
import { StoreError } from "@byleave/core"
import { refuse } from "../refused.ts"
import type { Measure } from "../server-options.ts"
import type { Handler } from "./handler.ts"

/** A challenge is answered only for an address of ours: a program that passes it on from another address has no use for the answer. */
export const hello: Handler<"hello"> = ({ version, credentials, addresses, proveService }, { query }) => {
  const { challenge, address } = query ?? {}
  const isAsked = challenge !== undefined && address !== undefined && addresses().has(address)
  return {
    name: "byleave",
    version,
    presence: credentials.ports.presence(),
    proof: isAsked ? proveService(challenge, address) : null,
  }
}

export const openapi: Handler<"openapi"> = ({ version }) => openApiDocument(version)

export const healthz: Handler<"healthz"> = () => ({ ok: true })

export const readyz: Handler<"readyz"> = async ({ store }) => {
  try {
    await store.lastEvent()
    return { ok: true }
  } catch (error) {
    if (error instanceof StoreError) return refuse("store-unavailable", "The store is unavailable.")
    throw error
  }
}

export const metrics: Handler<"metrics"> = async (service) => {
  const waiting = await service.store.countApprovals({ statuses: ["pending"] })
  const seen = [...service.seen].map(([status, value]) => ({
    name: "byleave_approvals_total",
    help: "Held calls by outcome, since this process started",
    type: "counter" as const,
    value,
    labels: new Map([["status", status]]),
  }))
  const own: Measure[] = [
    { name: "byleave_waiting", help: "Calls waiting for approval", type: "gauge", value: waiting },
    ...seen,
  ]
  const text = prometheusText([...own, ...(service.measures?.() ?? [])])
  return new Response(text, { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } })
}

/** Prometheus' text format: a head per name, then its values. */
function prometheusText(measures: readonly Measure[]): string {
  const byName = Map.groupBy(measures, ({ name }) => name)
  const blocks = [...byName].map(([name, [first, ...others]]) =>
    first === undefined
      ? ""
      : [`# HELP ${name} ${first.help}`, `# TYPE ${name} ${first.type}`, ...[first, ...others].map(valueLine)].join(
          "\n",
        ),
  )
  return `${blocks.join("\n")}\n`
}

function valueLine({ name, labels, value }: Measure): string {
  const pairs = [...(labels ?? [])].map(([label, text]) => `${label}=${JSON.stringify(text)}`)
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`
}
