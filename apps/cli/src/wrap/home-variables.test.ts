import { expect, it } from "vitest"
import { leadsElsewhere, ownHome } from "./home-variables.ts"

it.each([
  ["HOME", "/home/me"],
  ["HOME", "/home/me/"],
  ["USERPROFILE", "/home/me"],
  ["XDG_CONFIG_HOME", "/home/me/.config"],
  ["XDG_CONFIG_HOME", ""],
  ["XDG_DATA_HOME", "/home/me/.local/share"],
  ["XDG_CONFIG_DIRS", "/etc/xdg/xdg-desktop:/etc/xdg"],
  ["EDITOR", "/tmp/vi"],
])("%s=%s is the user's own", (name, value) => {
  expect(leadsElsewhere(name, value, "/home/me")).toBe(false)
})

it.each([
  ["HOME", "/tmp/other"],
  ["HOME", "/home/me/project"],
  ["HOME", "here"],
  ["HOME", ""],
  ["USERPROFILE", "/tmp/other"],
  ["XDG_CONFIG_HOME", "/tmp/other"],
  ["XDG_DATA_HOME", "/home/me/.config"],
  ["XDG_CACHE_HOME", "/tmp/other"],
  ["XDG_CONFIG_DIRS", "/tmp/other:/etc/xdg"],
  ["XDG_CONFIG_DIRS", "/etc/xdg/../../tmp"],
  ["APPDATA", "/tmp/other"],
  ["appdata", "/tmp/other"],
])("I1: %s=%s leads elsewhere", (name, value) => {
  expect(leadsElsewhere(name, value, "/home/me")).toBe(true)
})

it("I1: counts where the system knows no home, and asks the system, not HOME", () => {
  expect(leadsElsewhere("HOME", "/home/me", null)).toBe(true)
  const before = process.env.HOME
  process.env.HOME = "/tmp/other"
  try {
    expect(ownHome()).not.toBe("/tmp/other")
  } finally {
    process.env.HOME = before
  }
})
