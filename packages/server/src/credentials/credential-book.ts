import { type AuditBodies, accessDraft, type Change } from "@byleave/core"
import { type CredentialPorts, timeOf } from "./credential-ports.ts"
import { type CredentialKind, type Kept, readCredential } from "./stored-credentials.ts"

const pageSize = 200

export async function findCredential<Kind extends CredentialKind>(
  ports: Pick<CredentialPorts, "store" | "now">,
  kind: Kind,
  id: string,
): Promise<Kept<Kind> | null> {
  const document = await ports.store.document(kind, id, timeOf(ports))
  return document === undefined ? null : readCredential(kind, document)
}

export async function allCredentials<Kind extends CredentialKind>(
  ports: Pick<CredentialPorts, "store" | "now">,
  kind: Kind,
): Promise<ReadonlyArray<Kept<Kind>>> {
  const found: Array<Kept<Kind>> = []
  let after: string | undefined
  for (;;) {
    const query = { limit: pageSize, now: timeOf(ports), ...(after === undefined ? {} : { after }) }
    const page = await ports.store.documents(kind, query)
    for (const document of page) {
      const read = readCredential(kind, document)
      if (read !== null) found.push(read)
    }
    after = page.at(-1)?.id
    if (page.length < pageSize || after === undefined) return found
  }
}

type Documents = NonNullable<Change["documents"]>

/** Changes who may do what, together with its record. False: somebody else was quicker. */
export async function changeAccess(
  ports: CredentialPorts,
  documents: Documents,
  records: ReadonlyArray<AuditBodies["access.changed"]>,
): Promise<boolean> {
  const at = timeOf(ports)
  const committed = await ports.store.commit({
    at,
    documents,
    records: records.map((record) => accessDraft(record, at, ports)),
    events: records.map(({ what, name }) => ({ type: "access.changed", subject: `${what}/${name}` })),
    durability: "full",
  })
  return committed.ok
}

/** Notes something nobody decides by, such as when a key was last seen; lost without harm when somebody else is quicker. */
export async function noteCredential(ports: CredentialPorts, documents: Documents): Promise<void> {
  await ports.store.commit({ at: timeOf(ports), documents, records: [], events: [], durability: "soon" })
}
