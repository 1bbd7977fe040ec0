import { type Hasher, type Policy, withoutFolders } from "@byleave/core"

/** A short name for what a policy says. Where it was written, its layout, and where servers work do not count. */
export function policyVersion(policy: Omit<Policy, "version">, hasher: Hasher): string {
  const meaning = {
    ...withoutFolders(policy),
    rules: policy.rules.map(({ origin: _origin, ...rule }) => rule),
    classify: policy.classify.map(({ origin: _origin, ...rule }) => rule),
  }
  return hasher.sha256(JSON.stringify(meaning)).slice(0, 16)
}
