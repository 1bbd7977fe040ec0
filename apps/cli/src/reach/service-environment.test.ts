import { expect, it } from "vitest"
import { serviceEnvironment } from "./service-environment.ts"

const clients = new Map([
  ["PATH", "/usr/bin"],
  ["HOME", "/project/home"],
  ["NODE_OPTIONS", "--import=/project/x.js"],
])

it("I1: a service has the home of the user's account, whatever the client's environment says", () => {
  const env = serviceEnvironment(clients, "version: 1\n", "linux", null, "/home/ada")
  expect(Object.fromEntries(env)).toEqual({ PATH: "/usr/bin", HOME: "/home/ada" })
})

it("I1: nor does a configuration that names HOME change it", () => {
  const config = `version: 1\nservers: { a: { command: x, env: { H: \${HOME} } } }\n`
  expect(serviceEnvironment(clients, config, "linux", null, "/home/ada").get("HOME")).toBe("/home/ada")
})

it("where the system knows no home, the client's is all there is", () => {
  expect(serviceEnvironment(clients, "version: 1\n", "linux", null, null).get("HOME")).toBe("/project/home")
})
