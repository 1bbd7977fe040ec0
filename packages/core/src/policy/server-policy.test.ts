import { expect, it } from "vitest"
import { emptyPolicy, type ServerPolicy } from "./rules/rule.ts"
import { unknownStart } from "./server-folders.ts"
import { serverPolicyOf, withFoldersOf, withoutFolders } from "./server-policy.ts"

const settings = { id: "files", trust: "annotations", pin: "schema", newTools: "offer", offer: ["read_*"] } as const
const where = { cwd: "/ws", folders: ["/ws/a"], starts: ["/ws/b", unknownStart], isRemote: true } as const
/** Every field: one that is new does not compile until it is here. */
const whole = { ...settings, ...where } satisfies Required<ServerPolicy>

it("I1: a server's policy has each of its fields, and nothing else that is known of the server", () => {
  const configured = { ...whole, transport: { kind: "stdio" }, timeoutMs: 1 }
  expect(serverPolicyOf(configured)).toEqual(whole)
  expect(serverPolicyOf({ id: "files", trust: "none", pin: "off" })).toEqual({ id: "files", trust: "none", pin: "off" })
})

it("I2: a policy without folders has the settings alone, and with the folders of servers it has theirs and no others", () => {
  const without = withoutFolders({ ...emptyPolicy, servers: [whole, { ...whole, id: "mail" }] })
  expect(without.servers).toEqual([settings, { ...settings, id: "mail" }])
  const running = [
    { id: "mail", trust: "none", pin: "off", cwd: "/mail" },
    { id: "new", trust: "annotations", pin: "off", cwd: "/new" },
  ] as const
  expect(withFoldersOf(without, running).servers).toEqual([
    settings,
    { ...settings, id: "mail", cwd: "/mail" },
    { id: "new", trust: "none", pin: "full", cwd: "/new" },
  ])
})
