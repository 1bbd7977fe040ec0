/** The tab's icon with a count in its corner, drawn here: files for every number would be many, and the page's policy lets blobs be images. */
const side = 64
const icon = new Image()
icon.src = "/icon.svg"

let shown = ""
let address: string | null = null

export async function showCount(count: number): Promise<void> {
  const words = count === 0 ? "" : count > 99 ? "99" : String(count)
  if (words === shown) return
  shown = words
  const drawn = words === "" ? null : await draw(words)
  if (words !== shown) return
  const before = address
  address = drawn === null ? null : URL.createObjectURL(drawn)
  linkOf().href = address ?? "/icon.svg"
  if (before !== null) URL.revokeObjectURL(before)
}

function linkOf(): HTMLLinkElement {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]') ?? document.createElement("link")
  link.rel = "icon"
  link.removeAttribute("type")
  if (!link.isConnected) document.head.append(link)
  return link
}

async function draw(words: string): Promise<Blob | null> {
  await icon.decode().catch(() => undefined)
  const canvas = document.createElement("canvas")
  canvas.width = side
  canvas.height = side
  const pen = canvas.getContext("2d")
  if (pen === null) return null
  pen.drawImage(icon, 0, 0, side, side)
  pen.beginPath()
  pen.roundRect(side - 42, side - 36, 42, 36, 10)
  pen.fillStyle = "#9a2c22"
  pen.fill()
  pen.font = "bold 30px sans-serif"
  pen.textAlign = "center"
  pen.textBaseline = "middle"
  pen.fillStyle = "#ffffff"
  pen.fillText(words, side - 21, side - 17)
  return new Promise((resolve) => canvas.toBlob(resolve))
}
