import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const manifest = JSON.parse(readFileSync(new URL("../manifest.json", import.meta.url), "utf8"))

describe("the extension's manifest", () => {
  it("asks for what the guide explains, and for nothing else", () => {
    const guide = readFileSync(new URL("../../../docs/guides/side-panel.md", import.meta.url), "utf8")
    const asked: readonly string[] = [...manifest.permissions, ...manifest.host_permissions]
    expect(asked).toEqual([
      "sidePanel",
      "storage",
      "notifications",
      "alarms",
      "declarativeNetRequestWithHostAccess",
      "http://127.0.0.1/*",
      "http://localhost/*",
    ])
    for (const permission of asked) expect(guide).toContain(`\`${permission}\``)
  })

  it("asks for a new connection for each request of the extension itself, and of nobody else", () => {
    const [rule, ...others] = JSON.parse(readFileSync(new URL("../connections.json", import.meta.url), "utf8"))
    const hash = createHash("sha256").update(Buffer.from(manifest.key, "base64")).digest("hex")
    // Chrome writes the first half of the key's hash with the letters a to p.
    const id = [...hash.slice(0, 32)].map((digit) => "abcdefghijklmnop"[Number.parseInt(digit, 16)]).join("")
    expect(rule.condition.initiatorDomains).toEqual([id])
    expect(rule.action.requestHeaders).toEqual([{ header: "connection", operation: "set", value: "close" }])
    expect(others).toEqual([])
    expect(manifest.declarative_net_request.rule_resources).toEqual([
      { id: "connections", enabled: true, path: "connections.json" },
    ])
  })

  it("lets nothing outside message, frame or reach into the extension", () => {
    for (const door of ["externally_connectable", "web_accessible_resources", "content_scripts", "sandbox"]) {
      expect(manifest).not.toHaveProperty(door)
    }
  })

  it("runs nothing but the extension's own files", () => {
    const policy: string = manifest.content_security_policy.extension_pages
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(policy).not.toMatch(/unsafe|\*|wasm/)
    for (const none of ["object-src", "base-uri", "form-action", "frame-src", "frame-ancestors"]) {
      expect(policy).toContain(`${none} 'none'`)
    }
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'")
  })
})
