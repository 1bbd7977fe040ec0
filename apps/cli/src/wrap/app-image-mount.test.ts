import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { isMountPoint } from "./app-image-mount.ts"

const folder = mkdtempSync(join(tmpdir(), "byleave-mount-"))
afterAll(() => rmSync(folder, { recursive: true }))

describe.runIf(process.platform === "linux")("a place that the system has mounted", () => {
  it("I1: is one where another file system begins", () => {
    expect(isMountPoint("/proc")).toBe(true)
  })

  it("I1: is no folder, no link to a mounted place, no folder within one, and nothing that is not there", () => {
    const place = join(folder, ".mount_a1")
    mkdirSync(place)
    symlinkSync("/proc", join(folder, ".mount_b2"))
    symlinkSync("/proc", join(folder, "elsewhere"))
    const others = [place, join(folder, ".mount_b2"), join(folder, "elsewhere", "self"), join(folder, ".mount_c3")]
    expect(others.filter(isMountPoint)).toEqual([])
  })
})
