import { type AuditBodies, accessDraft, type Change } from "@byleave/core"
import { everyDocument } from "../every-document.ts"
import { type CredentialPorts, timeOf } from "./credential-ports.ts"
import { type CredentialKind, type Kept, readCredential } from "./stored-credentials.ts"

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
  for await (const document of everyDocument(ports.store, kind, () => timeOf(ports))) {
    const read = readCredential(kind, document)
    if (read !== null) found.push(read)
  }
  return found
}

type Documents = NonNullable<Change["documents"]>

/** How a change of access goes with the epoch. `movesEpoch`: calls that are being decided are judged anew. `epoch`: it is made only while that one stands. */
type WithEpoch = { readonly movesEpoch?: boolean; readonly epoch?: number }

/** Changes who may do what, together with its record. False: somebody else was quicker. */
export async function changeAccess(
  ports: CredentialPorts,
  documents: Documents,
  records: ReadonlyArray<AuditBodies["access.changed"]>,
  { movesEpoch = false, epoch }: WithEpoch = {},
): Promise<boolean> {
  const at = timeOf(ports)
  const committed = await ports.store.commit({
    at,
    documents,
    records: records.map((record) => accessDraft(record, at, ports)),
    events: records.map(({ what, name }) => ({ type: "access.changed", subject: `${what}/${name}` })),
    ...(movesEpoch ? { movesEpoch } : {}),
    ...(epoch === undefined ? {} : { epoch }),
    durability: "full",
  })
  return committed.ok
}

/** Notes something nobody decides by, such as when a key was last seen; lost without harm when somebody else is quicker. */
export async function noteCredential(ports: CredentialPorts, documents: Documents): Promise<void> {
  await ports.store.commit({ at: timeOf(ports), documents, records: [], events: [], durability: "soon" })
}
