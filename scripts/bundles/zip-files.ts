import { crc32, deflateRawSync } from "node:zlib"

export type ZippedFile = { readonly name: string; readonly contents: Buffer }

/** A zip archive of these files. The same files give the same bytes: no times are kept in it. */
export function zipFiles(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, contents } of files) {
    const named = Buffer.from(name, "utf8")
    const packed = deflateRawSync(contents, { level: 9 })
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x0800, 2)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt16LE(0x21, 8)
    facts.writeUInt32LE(crc32(contents), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(contents.length, 18)
    facts.writeUInt16LE(named.length, 22)
    const local = Buffer.concat([signature(0x04034b50), facts, named, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([signature(0x02014b50), version, facts, place, named]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, listed, signature(0x06054b50), end])
}

const version = Buffer.from([20, 0])

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
