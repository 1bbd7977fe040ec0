/** How soon a token of the model is in the page, beside a bare AI SDK stream read by a bare page, both from the same provider. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { openModel } from "@byleave/runs"
import type { Page } from "@playwright/test"
import { streamText } from "ai"
import { field, test } from "../fixtures/chatting.ts"
import { tellNumber } from "../fixtures/tell-number.ts"
import { expect } from "../fixtures/test.ts"

const tokens = 400
const rounds = 5
const say = Array.from({ length: tokens }, (_, at) => `w${at}`).join(" ")
const everyMs = 5

// A record of the test is made in the page, and would be measured with it.
test.use({ trace: "off" })

test("a token reaches the page within 1.3 times what it takes through AI SDK alone", async ({
  page,
  context,
  world,
  provider,
}) => {
  test.setTimeout(120_000)
  const bare = await bareStream(provider.url)
  const other = await context.newPage()
  await other.goto(bare.url)
  await world.signIn(page, "/chat")
  await page.getByRole("combobox", { name: "Model" }).selectOption("remote")
  const ours: number[][] = []
  const theirs: number[][] = []
  for (let round = 0; round < rounds + 1; round++) {
    provider.next({ kind: "answer", say, everyMs })
    const one = await throughBare(other)
    provider.next({ kind: "answer", say, everyMs })
    const two = await throughByleave(page)
    // The first of each warms up what both use.
    if (round > 0) theirs.push(one)
    if (round > 0) ours.push(two)
  }
  const at = (all: readonly number[][], token: number): number => median(all.map((times) => times[token] ?? Number.NaN))
  const ratio = (token: number): number => at(ours, token) / at(theirs, token)
  const each = Array.from({ length: tokens }, (_, token) => ratio(token))
  tellNumber("time to the first token in the page, ms", at(ours, 0))
  tellNumber("time to the first token through AI SDK alone, ms", at(theirs, 0))
  tellNumber("first token, over AI SDK alone", ratio(0))
  tellNumber("median token, over AI SDK alone", median(each))
  tellNumber("last token, over AI SDK alone", ratio(tokens - 1))
  const delay = Array.from({ length: tokens }, (_, token) => at(ours, token) - at(theirs, token))
  tellNumber("median token, later than through AI SDK alone, ms", median(delay))
  expect(median(each)).toBeLessThanOrEqual(1.3)
  await bare.close()
})

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

type Watched = { readonly times: number[] }

/** Presses Enter in a thread and notes when each token is in the document. */
async function throughByleave(page: Page): Promise<number[]> {
  await field(page).fill("go")
  await page.evaluate(() => {
    const times: number[] = []
    let from: number | null = null
    const replies = document.querySelectorAll("[data-message]").length
    document.addEventListener(
      "keydown",
      () => {
        from = performance.now()
      },
      { capture: true, once: true },
    )
    const observer = new MutationObserver(() => {
      const reply = [...document.querySelectorAll("[data-message]")].slice(replies).at(-1)
      const text = reply?.textContent ?? ""
      const newest = Number(/^\d+/.exec(text.slice(text.lastIndexOf("w") + 1))?.[0] ?? "-1")
      for (let token = times.length; token <= newest; token++) times.push(performance.now() - (from ?? Number.NaN))
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { watched: { times } })
  })
  await page.keyboard.press("Enter")
  const heard = (): Promise<number[]> => page.evaluate(() => (window as unknown as { watched: Watched }).watched.times)
  await expect.poll(async () => (await heard()).length, { intervals: [1_000], timeout: 20_000 }).toBe(tokens)
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeVisible()
  return heard()
}

/** Fetches a UI message stream in a page and notes when each token was read. */
function throughBare(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const times: number[] = []
    const from = performance.now()
    const response = await fetch("/stream")
    const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
    const decoder = new TextDecoder()
    let text = ""
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return times
      text += decoder.decode(value, { stream: true })
      const events = text.split("\n\n")
      text = events.pop() ?? ""
      for (const event of events) if (event.includes('"text-delta"')) times.push(performance.now() - from)
    }
  })
}

async function bareStream(url: string) {
  const model = await openModel({ name: "bare", provider: "openai-compatible", url, model: "mock" } as never)
  const server = createServer((request, response) => {
    if (request.url === "/stream") void streamText({ model, prompt: "go" }).pipeUIMessageStreamToResponse(response)
    else response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>bare</title>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
