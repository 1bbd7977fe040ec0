import { expect, it } from "vitest"
import { resolvePath } from "./resolve-path.ts"

it.each([
  ["./drafts", "/etc/byleave", "/etc/byleave/drafts"],
  ["../x/./y//z/", "/etc/byleave", "/etc/x/y/z"],
  ["../../../../..", "/etc/byleave", "/"],
  ["/srv/a/../b", "/etc/byleave", "/srv/b"],
  ["~", "/etc/byleave", "/home/ada"],
  ["~/drafts", "/etc/byleave", "/home/ada/drafts"],
  ["~other", "/etc/byleave", "/etc/byleave/~other"],
  ["drafts\\x", "/etc/byleave", "/etc/byleave/drafts\\x"],
  ["./drafts", "C:\\team", "C:\\team\\drafts"],
  ["D:/x/../y", "C:\\team", "D:\\y"],
  ["..\\x", "\\\\host\\share\\team", "\\\\host\\share\\x"],
])("%s in %s is %s", (written, folder, path) => {
  expect(resolvePath(written, folder, "/home/ada")).toBe(path)
})

it("knows no home folder that it was not told", () => {
  expect(resolvePath("~/x", "/etc", undefined)).toBeUndefined()
})
