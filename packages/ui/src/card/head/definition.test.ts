import type { PinView } from "@byleave/api"
import type { JsonObject } from "@byleave/core"
import { createElement, Fragment, useState } from "react"
import { expect, it } from "vitest"
import { waitingCall } from "../../verdict/fixtures/waiting-call.ts"
import type { CardActions } from "../../verdict/verdict.ts"
import { drawPage } from "../fixtures/drawn-page.ts"
import { DefinitionToAccept } from "./definition.tsx"

const words = { title: null, description: null, icon: null, annotations: null, inputSchema: null }

function newTool(whole: JsonObject): PinView {
  return {
    ...{ server: "files", tool: "write_file", of: "tool", state: "new", depth: "full" },
    ...{ accepted: null, quarantined: null, differences: [], flags: [] },
    proposed: { definition: words, whole, fingerprint: "f1", seenAt: 1, rejected: null },
  }
}

function drawn(pin: PinView) {
  return drawPage(
    createElement(DefinitionToAccept, { approval: waitingCall({ pin: "new" }), pin, actions: {} as CardActions }),
  )
}

it("a new tool stands on its card in full before it can be accepted", () => {
  const page = drawn(newTool({ name: "write_file", inputSchema: { default: "cat ~/.ssh/id_rsa" } }))
  expect(page.html()).toContain("cat ~/.ssh/id_rsa")
  expect(page.html()).not.toContain("<details")
  expect(page.find("button", "Accept tool").map(({ isDisabled }) => isDisabled)).toEqual([false])
  page.close()
})

it("a definition of which a part is collapsed on its card is expanded before it can be accepted", () => {
  const page = drawn(newTool({ name: "write_file", description: `${"a ".repeat(3_000)}id_rsa${" b".repeat(3_000)}` }))
  expect(page.find("button", "Accept tool").map(({ isDisabled }) => isDisabled)).toEqual([true])
  page.find("button", "Expand all")[0]?.click()
  expect(page.html()).toContain("id_rsa")
  expect(page.find("button", "Accept tool").map(({ isDisabled }) => isDisabled)).toEqual([false])
  page.close()
})

it("a definition that changes on its card is collapsed again before it can be accepted", () => {
  const long = (end: string) => newTool({ name: "write_file", description: `${"a ".repeat(3_000)}id_rsa${end}` })
  function Changing() {
    const [pin, setPin] = useState(long(" b".repeat(3_000)))
    const approval = waitingCall({ pin: "new" })
    return createElement(
      Fragment,
      {},
      createElement("button", { type: "button", onClick: () => setPin(long(" c".repeat(3_000))) }, "Change"),
      createElement(DefinitionToAccept, { approval, pin, actions: {} as CardActions }),
    )
  }
  const page = drawPage(createElement(Changing))
  page.find("button", "Expand all")[0]?.click()
  expect(page.find("button", "Accept tool").map(({ isDisabled }) => isDisabled)).toEqual([false])
  page.find("button", "Change")[0]?.click()
  expect(page.find("button", "Accept tool").map(({ isDisabled }) => isDisabled)).toEqual([true])
  page.close()
})
