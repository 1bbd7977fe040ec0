/** A piece of a text that names a place: what a person should read first is emphasised. Nothing of it becomes a link. */
export type AddressPiece = { readonly text: string; readonly isEmphasised: boolean }

/** Host of an address, last part of a path; one plain piece for any other text. */
export function addressPieces(name: string, text: string): readonly AddressPiece[] {
  if (text.length > longest || /\s/.test(text)) return [plain(text)]
  return urlPieces(text) ?? (looksLikePath(name, text) ? pathPieces(text) : [plain(text)])
}

const longest = 4_096

function urlPieces(text: string): readonly AddressPiece[] | null {
  const found = /^[a-z][a-z0-9+.-]*:\/\/(?<authority>[^/?#]*)/i.exec(text)
  const authority = found?.groups?.authority
  if (found === null || authority === undefined || authority === "") return null
  const start = found[0].length - authority.length
  const hostAt = start + hostStart(authority)
  const hostEnd = start + hostStop(authority)
  return [
    plain(text.slice(0, hostAt)),
    { text: text.slice(hostAt, hostEnd), isEmphasised: true },
    plain(text.slice(hostEnd)),
  ].filter(notEmpty)
}

// A backslash ends the host for some readers and not for others: then all of it stands out.
function hostStart(authority: string): number {
  return authority.includes("\\") ? 0 : authority.lastIndexOf("@") + 1
}

function hostStop(authority: string): number {
  if (authority.includes("\\")) return authority.length
  const port = /:\d*$/.exec(authority)
  return port === null ? authority.length : port.index
}

const pathName = /(?:^|[^a-z])(?:path|file|filename|filepath|dir|directory|folder|cwd|destination|source|root)s?$/i

function looksLikePath(name: string, text: string): boolean {
  if (!/[\\/]/.test(text)) return false
  return (
    pathName.test(name) || /(?:Path|File|Dir|Folder)$/.test(name) || /^(?:\/|~\/|\.\.?[\\/]|[a-z]:[\\/])/i.test(text)
  )
}

function pathPieces(text: string): readonly AddressPiece[] {
  let whole = text.length
  while (whole > 0 && /[\\/]/.test(text.charAt(whole - 1))) whole -= 1
  const last = Math.max(text.lastIndexOf("/", whole - 1), text.lastIndexOf("\\", whole - 1)) + 1
  return [plain(text.slice(0, last)), { text: text.slice(last), isEmphasised: true }].filter(notEmpty)
}

function plain(text: string): AddressPiece {
  return { text, isEmphasised: false }
}

function notEmpty({ text }: AddressPiece): boolean {
  return text !== ""
}
