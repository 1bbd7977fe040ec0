import { expect, it } from "vitest"
import { childEnvironment } from "./child-environment.ts"

it("gives a child what it needs to be found and what its configuration says, and nothing else of ours", () => {
  const ours = new Map([
    ["PATH", "/bin"],
    ["HOME", "/home/ada"],
    ["TRACKER_TOKEN", "s3cret"],
    ["BYLEAVE_DATA", "/data"],
    ["NODE_OPTIONS", "--inspect"],
  ])
  const given = new Map([
    ["HOME", "/srv"],
    ["API_KEY", "for the child"],
  ])
  expect(Object.fromEntries(childEnvironment(given, ours, "linux"))).toEqual({
    PATH: "/bin",
    HOME: "/srv",
    API_KEY: "for the child",
  })
})

it("finds Windows' names in whatever case they are written", () => {
  const ours = new Map([
    ["Path", "C:\\bin"],
    ["SystemRoot", "C:\\Windows"],
    ["Secret", "x"],
  ])
  expect([...childEnvironment(new Map(), ours, "win32").keys()]).toEqual(["Path", "SystemRoot"])
})
