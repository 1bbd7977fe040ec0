import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createGate, emptyPolicy, type Gate, type JsonObject } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import { createGateway, type GatewayOptions } from "@byleave/gateway"
import { openMemoryStore } from "@byleave/store"
import type { Fixture } from "./fixture-server.ts"

const SERVER = "fixture"

/** The gateway with everything allowed and pins off, in front of one server. */
export async function startGateway(upstream: string): Promise<Fixture> {
  const gate = await openGate()
  let host = ""
  const gateway = createGateway({
    gate,
    servers: [{ id: SERVER, transport: { kind: "http", url: upstream, headers: new Map() } }],
    ...books(),
    now: Date.now,
    newId: randomUUID,
    identify: async () => ({ principal: { id: "conformance" }, namesSessions: false }),
    hosts: () => new Set([host]),
    origins: () => new Set([`http://${host}`]),
    inbox: () => `http://${host}/`,
  })
  const server = createServer((request, response) => {
    if (!gateway.handle(request, response)) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}/mcp/${SERVER}`,
    close: async () => {
      await gateway.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await gate.close()
    },
  }
}

function openGate(): Promise<Gate> {
  const signer = ed25519Signer(newSigningKey())
  const store = openMemoryStore({
    hasher: nodeHasher,
    signer,
    newId: randomUUID,
    now: Date.now,
    elapsed: () => performance.now(),
  })
  const servers = [{ id: SERVER, trust: "none", pin: "off" }] as const
  const policy = { ...emptyPolicy, version: "allow all", default: "allow", servers } as const
  return createGate({ policy, store, now: Date.now, newId: randomUUID, hasher: nodeHasher, digestKey: "conformance" })
}

/** What a composition keeps in its store, kept in memory. */
function books(): Pick<GatewayOptions, "sealer" | "conversations" | "tasks"> {
  return { sealer: createSealer(), conversations: book(), tasks: book() }
}

function book<Kept extends { readonly id: string }>() {
  const kept = new Map<string, Kept>()
  return {
    put: async (record: Kept) => void kept.set(record.id, record),
    get: async (id: string) => kept.get(id),
    remove: async (id: string) => void kept.delete(id),
  }
}

function createSealer(): GatewayOptions["sealer"] {
  const key = randomBytes(32)
  return {
    seal: (value) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", key, nonce)
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")
    },
    open: (text) => {
      try {
        const bytes = Buffer.from(text, "base64url")
        if (bytes.toString("base64url") !== text) return null
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(12, 28))
        const opened = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
        return JSON.parse(opened.toString()) as JsonObject
      } catch {
        return null
      }
    },
  }
}
