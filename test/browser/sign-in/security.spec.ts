/** What a page of somebody else, a thief of a link and an old browser can do: nothing. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "../fixtures/test.ts"

test.use({ signsIn: true })

test("the page may run nothing inline and nothing foreign, and no one may frame it", async ({ page, world }) => {
  const response = await page.goto(world.url())
  const policy = response?.headers()["content-security-policy"] ?? ""
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|data:|\*|https?:/)
  const asked: string[] = []
  page.on("request", (request) => asked.push(request.url()))
  await world.signIn(page)
  for (const path of ["/activity", "/servers", "/insight"]) {
    await page.goto(new URL(path, world.url()).href)
    await page.getByRole("heading", { level: 1 }).waitFor()
  }
  expect(asked.filter((url) => !url.startsWith(world.url()))).toEqual([])
})

test("another origin on another port of the same host gets no cookie, no key, no answer and no frame", async ({
  page,
  world,
}) => {
  await world.signIn(page)
  expect(await page.context().cookies()).toEqual([])
  const agent = await world.agent()
  void agent.call("write_file", { path: "drafts/a.txt", content: "x" }).catch(() => {})
  await expect.poll(async () => (await pendingOf(world.people)).length).toBe(1)
  const [waiting] = await pendingOf(world.people)
  const other = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<h1>Another page</h1>"),
  )
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
  try {
    const foreign = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    await page.goto(foreign)
    const tried = await page.evaluate(
      async ([url, id, digest]) => {
        const read = await fetch(`${url}/api/approvals`).then(String, () => "refused")
        const body = JSON.stringify({ kind: "approve", digest })
        const wrote = await fetch(`${url}/api/approvals/${id}/verdict`, { method: "POST", mode: "no-cors", body }).then(
          (response) => response.type,
          () => "refused",
        )
        const frame = document.createElement("iframe")
        frame.src = `${url}/`
        document.body.append(frame)
        await new Promise((resolve) => frame.addEventListener("load", resolve))
        return { read, wrote, databases: (await indexedDB.databases()).length, cookie: document.cookie }
      },
      [world.url(), waiting?.id ?? "", waiting?.runDigest ?? ""],
    )
    expect(tried).toEqual({ read: "refused", wrote: "refused", databases: 0, cookie: "" })
    const frame = page.frames().find((one) => one !== page.mainFrame())
    expect(await frame?.evaluate(() => document.body?.innerText ?? "").catch(() => "")).not.toContain("Byleave")
    const verdict = `/api/approvals/${waiting?.id}/verdict`
    await page.goto(foreign)
    const answered = page.waitForResponse(`${world.url()}${verdict}`)
    await page.evaluate(submitForm, [`${world.url()}${verdict}`, waiting?.runDigest ?? ""] as const)
    // Refused for where it comes from, before anybody looks whether it is signed.
    expect((await answered).status()).toBe(403)
    expect(await pendingOf(world.people)).toHaveLength(1)
  } finally {
    other.closeAllConnections()
    other.close()
  }
})

test("the browser's key cannot be taken out of it", async ({ page, world }) => {
  await world.signIn(page)
  const taken = await page.evaluate(async () => {
    const found: CryptoKey[] = []
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of database.objectStoreNames) {
        const values = await new Promise<unknown[]>((resolve, reject) => {
          const reading = database.transaction(store).objectStore(store).getAll()
          reading.onsuccess = () => resolve(reading.result)
          reading.onerror = () => reject(reading.error)
        })
        const walk = (value: unknown): void => {
          if (value instanceof CryptoKey) found.push(value)
          else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk)
        }
        values.forEach(walk)
      }
      database.close()
    }
    const secret = found.filter(({ type }) => type === "private")
    const outcomes = await Promise.all(
      secret.map((key) =>
        crypto.subtle.exportKey("jwk", key).then(
          () => "taken",
          () => "refused",
        ),
      ),
    )
    return { keys: secret.length, outcomes, stored: JSON.stringify({ ...localStorage, ...sessionStorage }) }
  })
  expect(taken.keys).toBe(1)
  expect(taken.outcomes).toEqual(["refused"])
  expect(taken.stored).not.toMatch(/"d"|private|secret/i)
})

test("a link signs in once; the secret leaves the address bar; whoever comes second is told", async ({
  page,
  otherPage,
  world,
}) => {
  const link = await world.people.mintLink({ body: {} })
  if (!link.ok) throw new Error(link.problem.detail)
  await page.goto(link.value.url)
  await page.getByRole("button", { name: /sign in/i }).click()
  await page.getByRole("navigation").first().waitFor()
  expect(page.url()).not.toContain(link.value.link)
  await page.goBack().catch(() => {})
  expect(page.url()).not.toContain(link.value.link)
  await otherPage.goto(link.value.url)
  await otherPage.getByRole("button", { name: /sign in/i }).click()
  await expect(otherPage.getByRole("alert")).toContainText(/link/i)
  await expect(otherPage.getByRole("navigation")).toHaveCount(0)
})

test("a proof is good once, and a revoked browser is out at once", async ({ page, world }) => {
  const proofs: Array<{ readonly url: string; readonly dpop: string }> = []
  // Once it was answered: a proof that overtakes its request would be the first of the two.
  page.on("response", (response) => {
    const request = response.request()
    const { dpop } = request.headers()
    if (dpop !== undefined && request.method() === "GET" && request.url().includes("/api/me")) {
      proofs.push({ url: request.url(), dpop })
    }
  })
  await world.signIn(page)
  await expect.poll(() => proofs.length).toBeGreaterThan(0)
  const [proof] = proofs
  const replayed = await fetch(proof?.url ?? "", { headers: { dpop: proof?.dpop ?? "" } })
  expect(replayed.status).toBe(401)
  const devices = await world.people.listDevices()
  if (!devices.ok) throw new Error(devices.problem.detail)
  const browserDevice = devices.value.items.toSorted((a, b) => b.createdAt - a.createdAt)[0]
  await world.people.revokeDevice({ params: { id: browserDevice?.id ?? "" } })
  // The page may hear of it before it loads anew, and then knows no more why; either way it asks to be signed in.
  await page.reload()
  await expect(page.getByRole("heading", { name: "Sign in this browser" })).toBeVisible()
  await expect(page.getByRole("navigation")).toHaveCount(0)
})

/** A form that says yes, as text that happens to be JSON: what a page can send anywhere without asking. */
function submitForm([action, digest]: readonly [string, string]): void {
  const form = document.createElement("form")
  Object.assign(form, { action, method: "POST", enctype: "text/plain" })
  const field = document.createElement("input")
  field.name = `{"kind":"approve","digest":"${digest}","reason":"`
  field.value = '"}'
  form.append(field)
  document.body.append(form)
  form.submit()
}

async function pendingOf(people: import("@byleave/api").Client) {
  const waiting = await people.listApprovals({ query: { status: "pending" } })
  if (!waiting.ok) throw new Error(waiting.problem.detail)
  return waiting.value.items
}
